#!/usr/bin/env python3
"""Counts how many exploits are stopped and how many honest kernels are accused.

  benchmarks/corpora.py --out DIRECTORY

Runs the programs of tests/exploits, tests/exploits/narrow and tests/honest of build/robust beside
each other. Each runs in parts if there are cores enough. Each kernel there is a test of GoogleTest with its verdict. Kernels of a GPU are skipped
where there is none. DIRECTORY/run.json is for docs/runs/corpora.json.
"""

import argparse
import collections
import json
import os
import pathlib
import subprocess

from figures import ROOT, Figures, machine, torch_version

NARROW = "right on typical data alone"
CORPORA = {"exploits": "exploits/exploits_test",
           NARROW: "exploits/narrow/narrow_test",
           "honest": "honest/honest_test"}
# These look at the corpora themselves, or at a kernel once more.
NO_KERNELS = {"Exploits", "cuda_Exploits", "UnderSanitizers", "Alignment", "cuda_Alignment",
              "kernels_that_need_what_is_refused",
              "shipped_kernels_ask_for_nothing_that_is_refused"}


def is_honest_kernel_of_a_task(suite, name):
    """The program of the narrow corpus judges honest kernels of the same tasks, too."""
    if suite == "cuda":
        task, direction, name = name.split(".")
    else:
        task, direction = suite.rsplit("_", 1)
    return any(ROOT.glob(f"tests/honest/*/{task}/{direction}/{name}.c*"))


def kernels_of(corpus, results):
    """Pairs of a corpus with its processor, and the outcome of one of its kernels."""
    for suite in json.loads(results.read_text())["testsuites"]:
        for test in suite["testsuite"]:
            if not NO_KERNELS.isdisjoint({suite["name"], test["name"]}):
                continue
            on_gpu = "cuda" in suite["name"] or "cuda/" in test["name"]
            honest = corpus == NARROW and is_honest_kernel_of_a_task(suite["name"], test["name"])
            outcome = ("skipped" if test["result"] == "SKIPPED" else
                       "otherwise" if "failures" in test else "as expected")
            yield ("honest" if honest else corpus, "CUDA" if on_gpu else "CPU"), outcome


def run_programs(directory, shards):
    """Runs all shards of all programs at once. Returns pairs of a corpus with a file of results."""
    results, running = [], []
    for corpus, path in CORPORA.items():
        for shard in range(shards):
            name = directory / f"{pathlib.Path(path).name}_{shard}"
            environment = os.environ | {"GTEST_TOTAL_SHARDS": str(shards),
                                        "GTEST_SHARD_INDEX": str(shard)}
            with name.with_suffix(".log").open("w") as log:
                running.append(subprocess.Popen(
                    [ROOT / "build/robust/tests" / path, f"--gtest_output=json:{name}.json"],
                    stdout=log, env=environment))
            results.append((corpus, name.with_suffix(".json")))
    for program in running:
        program.wait()
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--shards", type=int, default=max(1, len(os.sched_getaffinity(0)) // 4),
                        help="parts of each program that run beside each other")
    options = parser.parse_args()
    figures = Figures(options.out)
    counts = collections.defaultdict(collections.Counter)
    for corpus, file in run_programs(figures.out, options.shards):
        for kind, outcome in kernels_of(corpus, file):
            counts[kind][outcome] += 1
    figures.record(machine(torch_version(ROOT / "build/robust/bin/rkb")))
    figures.record_table(
        "corpora", ["kernels", "on", "number", "as expected", "otherwise", "skipped"],
        [[*corpus, sum(each.values()), each["as expected"], each["otherwise"], each["skipped"]]
         for corpus, each in sorted(counts.items())])


if __name__ == "__main__":
    main()
