#!/usr/bin/env python3
"""Lists the speed-ups of our CUDA kernels in their own process beside those of replays.

  benchmarks/replayed_baselines.py --out figures [--build build/robust] [--python PYTHON]
        [--only REGEX]

The baselines are eager mode and torch.compile. Makes the packages of torch.compile first, for which
PYTHON has to import torch. Needs a GPU and the targets rkb, rkb_bench and replay_programs. Configs
are the tasks' single ones. Writes figures/figures.md, figures/run.json for
docs/runs/replayed_baselines.json, and the records beside them. --only takes the entries that match.
"""

import concurrent.futures
import os
import pathlib
import re
import sys

from figures import ROOT, Figures, differing_parts, figures_parser, machine, torch_version

AT_A_TIME = 4  # tests share the GPU; timing is one by one
SECONDS = 400  # for one kernel
BASELINES = ["eager", "compile"]
HEADER = ["entry", "kernel", "robust, us", "replay, us",
          *(f"over {baseline}, {estimator}" for baseline in BASELINES
            for estimator in ("robust", "replay"))]


def parse_arguments():
    parser = figures_parser(__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/robust")
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", type=re.compile, default="")
    return parser.parse_args()


def row_of(label, kernel, timing):
    """A config's times and speed-ups, by events and by replays. A dash stands for a missing one."""
    replayed_us = [estimate["time_us"] for estimate in timing["estimates"]
                   if (estimate["estimator"], estimate["subject"]) == ("replay", "kernel")]
    figures = [timing["subjects"][0]["median_us"], *(replayed_us or [None])]
    over = {speedup["against"]: speedup for speedup in timing["speedups"]}
    for baseline in BASELINES:
        speedup = over.get(baseline, {})
        figures += [speedup.get("ratio"), speedup.get("replayed")]
    return [label, kernel, *("-" if figure is None else round(figure, 2) for figure in figures)]


def label_of(entry, timing, usual):
    """The entry, and what sets its config apart from the first one."""
    return ", ".join([entry.replace(".", " "), *differing_parts(timing["config"], usual["config"])])


class ReplayedBaselines(Figures):
    def __init__(self, arguments):
        super().__init__(arguments.out)
        self.arguments = arguments
        self.rkb = arguments.build / "bin/rkb"

    def kernels(self):
        """The source of each entry that is asked for, and the entry's name."""
        for source in sorted((ROOT / "kernels").glob("*/*/*.cu")):
            entry = f"{source.parts[-3]}.{source.parts[-2]}"
            if re.search(self.arguments.only, entry):
                yield source, entry

    def make_packages(self, entries):
        self.run(
            "packages",
            *[self.arguments.python, ROOT / "benchmarks/make_compile_packages.py"],
            *["--rkb-bench", self.arguments.build / "bin/rkb_bench", "--device", "cuda"],
            *["--filter", f"^({'|'.join(map(re.escape, entries))})[.]single/"],
            *["--jobs", os.cpu_count() or 1],
        )

    def rows_of(self, source, entry):
        task, direction = entry.split(".")
        records = self.records_of(
            entry, self.rkb, SECONDS,
            *["--task", task, "--direction", direction, "--judge", "replay", "--no-sanitize"],
            *["--configs", "single", "--scope", "listed", "--seeds", 1],
            *[part for baseline in BASELINES for part in ("--against", baseline)], source,
        )
        if not records or not records[0]["timings"] or records[0]["verdict"] != "pass":
            return [[entry, source.stem, "see its log", *["-"] * (len(HEADER) - 3)]]
        timings = records[0]["timings"]
        return [row_of(label_of(entry, timing, timings[0]), source.stem, timing)
                for timing in timings]

    def measure(self):
        chosen = list(self.kernels())
        self.make_packages([entry for _, entry in chosen])
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            rows = sum(pool.map(lambda kernel: self.rows_of(*kernel), chosen), [])
        self.record(machine(torch_version(self.rkb)))
        self.record_table("speedups", HEADER, rows)


if __name__ == "__main__":
    ReplayedBaselines(parse_arguments()).measure()
