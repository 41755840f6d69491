#!/usr/bin/env python3
"""Counts how many exploits are stopped and how many honest kernels are accused.

  benchmarks/corpora.py --out DIRECTORY [--parallel N]

Runs the tests of tests/exploits, tests/exploits/narrow and tests/honest in build/robust, which has
to be built. Each kernel there is a test of GoogleTest with its verdict. Kernels of a GPU are
skipped where there is none. DIRECTORY/run.json is for docs/runs/corpora.json.
"""

import argparse
import collections
import json
import os
import pathlib

from figures import ROOT, Figures, machine, torch_version

CORPORA = {"exploits_test": "exploits", "narrow_test": "right on typical data alone",
           "honest_test": "honest"}
# These look at the corpora themselves, or at a kernel once more.
NO_KERNELS = {"Exploits", "cuda_Exploits", "UnderSanitizers"}


def kernels_of(directory):
    """Pairs of a corpus with its processor, and the outcome of one of its kernels."""
    for path in sorted(directory.glob("*.json")):
        corpus = CORPORA[path.stem.rstrip("0123456789").rstrip("_")]
        for suite in json.loads(path.read_text())["testsuites"]:
            if suite["name"] in NO_KERNELS:
                continue
            for test in suite["testsuite"]:
                on_gpu = "cuda" in suite["name"] or "cuda/" in test["name"]
                outcome = "skipped" if test["result"] == "SKIPPED" else \
                    "as expected" if "failures" not in test else "otherwise"
                yield (corpus, "CUDA" if on_gpu else "CPU"), outcome


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--parallel", type=int, default=4, help="tests at a time")
    options = parser.parse_args()
    figures = Figures(options.out)
    results = figures.out / "gtest"
    os.chdir(ROOT)
    os.environ["GTEST_OUTPUT"] = f"json:{results}/"
    figures.run("tests", "ctest", "--test-dir", "build/robust", "-R", "^(exploits|narrow|honest)",
                "--parallel", str(options.parallel), check=False)
    counts = collections.defaultdict(collections.Counter)
    for corpus, outcome in kernels_of(results):
        counts[corpus][outcome] += 1
    figures.record(machine(torch_version("build/robust/bin/rkb")))
    figures.record_table(
        "corpora", ["kernels", "on", "number", "stopped or passed as they should", "otherwise", "skipped"],
        [[*corpus, sum(each.values()), each["as expected"], each["otherwise"], each["skipped"]]
         for corpus, each in sorted(counts.items())])


if __name__ == "__main__":
    main()
