#!/usr/bin/env python3
"""Lists published kernels of robust-kbench with the probes or shapes that they fail.

  benchmarks/published_probes.py --out figures --published robust-kbench [--rkb build/robust/bin/rkb]

`--published` is a checkout of SakanaAI/robust-kbench, whose kernels are compiled and run as they
are. Needs a GPU and a build of the suite. Each kernel is tested on the `small` configs, on drawn
ones and on all probes, however many it fails. Writes figures/figures.md with commands that replay
failures, and the records beside it. Rejections are what is measured here, so the exit code is 1
only if a kernel has no record.
"""

import argparse
import concurrent.futures
import pathlib
import re
import sys

from figures import Figures

SOURCE = pathlib.Path(__file__).resolve().parent.parent
AT_A_TIME = 3  # they share the memory of one GPU
SECONDS = 300  # for one kernel, which takes 10 to 60


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--published", type=pathlib.Path, required=True)
    parser.add_argument("--rkb", type=pathlib.Path, default=SOURCE / "build/robust/bin/rkb")
    return parser.parse_args()


def kind_of(case):
    """The kind of a case: a probe, a drawn config, the listed configs, the sequence."""
    if case["asks"]:
        return case["name"].split("/")[0]
    return "sequence" if case["name"] == "sequence" else "listed configs"


def failed(case):
    return case["verdict"] not in ("pass", "skipped")


def replay_of(case):
    """The command in the failure's message."""
    commands = [line.strip() for line in case["reason"].splitlines() if "/rkb test " in line]
    return f"`{commands[0]}`" if commands else "-"


def finding_of(case):
    """The error in the failure's message, in one line."""
    for pattern in (
        r"Greatest absolute difference: [^ ]+",
        r"Root mean square of the errors.*?float32 \([^)]*\)",
        r"Mismatched elements: .*",
    ):
        found = re.search(pattern, case["reason"])
        if found:
            return found.group()
    return case["reason"].splitlines()[0].replace("|", "/") if case["reason"] else "-"


class PublishedProbes(Figures):
    def __init__(self, arguments):
        super().__init__(arguments.out)
        self.arguments = arguments

    def record_of(self, kernel):
        task, direction = kernel.parts[-3:-1]
        records = self.records_of(
            f"{task}.{direction}", self.arguments.rkb, SECONDS,
            *["--task", task, "--direction", direction, "--no-bench", "--all-cases"],
            *["--configs", "small", kernel],
        )
        return records[0] if records else None

    def measure(self):
        kernels = sorted((self.arguments.published / "highlighted").glob("*/*/kernel.cu"))
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            records = list(pool.map(self.record_of, kernels))
        verdicts = []
        failures = []
        missing = []
        for kernel, record in zip(kernels, records):
            name = " ".join(kernel.parts[-3:-1])
            if record is None:
                missing.append(name)
                continue
            by_kind = {}
            for case in record["cases"]:
                by_kind.setdefault(kind_of(case), []).append(case)
            refused = sum(case["refused"] for case in record["cases"])
            wrong = [kind for kind, cases in by_kind.items() if any(map(failed, cases))]
            noted = [case["name"] for case in record["cases"]
                     if case["verdict"] == "pass" and case["reason"]]
            verdicts.append(
                [name, record["verdict"], refused, ", ".join(wrong) or "-", ", ".join(noted) or "-"]
            )
            for kind in wrong:
                cases = [case for case in by_kind[kind] if failed(case)]
                count = f"{len(cases)} of {len(by_kind[kind])}"
                first = cases[0]
                failures.append(
                    [name, kind, count, first["verdict"], finding_of(first), replay_of(first)]
                )
        self.table(
            ["published kernel", "verdict", "cases refused", "fails in", "noted, without rejection"],
            verdicts,
        )
        self.table(["published kernel", "fails in", "cases", "verdict", "finding", "replay"], failures)
        print(f"{self.out / 'figures.md'} has {len(verdicts)} of {len(kernels)} kernels")
        if missing or not kernels:
            sys.exit(f"no record of {', '.join(missing) or 'any kernel'}; see the logs in {self.out}")


if __name__ == "__main__":
    PublishedProbes(parse_arguments()).measure()
