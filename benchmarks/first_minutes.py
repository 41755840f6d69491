#!/usr/bin/env python3
"""Runs the first command of README.md in a fresh clone, and measures where its time goes.

  benchmarks/first_minutes.py --out DIRECTORY

The clone is of this repository's HEAD, in DIRECTORY/clone, which must not exist yet. ccache is off.
Downloads count unless Debian's packages and a torch are present, as with RobustKBench_PYTHON in the
environment. DIRECTORY/run.json is for docs/runs/first_minutes.json.
"""

import argparse
import collections
import os
import pathlib
import re
import subprocess

from figures import ROOT, Figures, machine, torch_version

FIRST_ROWS = 4  # lines of the demo's table, its header included


def part_of(output):
    """The part of the project to which an output of the build belongs."""
    parts = pathlib.PurePath(output).parts
    if parts[0] == "harness":
        return f"harness/{parts[1]}"
    if parts[0] == "CMakeFiles":
        return "precompiled headers"
    return "shipped kernels" if output.startswith("kernels/") else parts[0]


def steps_of(clone):
    """Pairs of an output and its seconds, each step of the build once."""
    steps = {}
    for line in (clone / "build" / "robust" / ".ninja_log").read_text().splitlines()[1:]:
        begin, end, _, output, _ = line.split("\t")
        steps[begin, end] = (os.path.relpath(output, clone / "build" / "robust")
                             if output.startswith("/") else output, (int(end) - int(begin)) / 1e3)
    return steps.values()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    figures = Figures(arguments.out)
    clone = figures.out / "clone"
    subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
    os.environ["CCACHE_DISABLE"] = "1"
    figures.run("demo", clone / "bootstrap.sh", "demo")
    printed = (figures.out / "demo.log").read_text()
    rows = printed.splitlines()
    table = next(i for i, line in enumerate(rows) if line.startswith("task "))
    figures.recorded["printed"] = {"first_rows": rows[table:table + FIRST_ROWS]}
    figures.recorded["command"] = "./bootstrap.sh demo"
    figures.record(machine(torch_version(clone / "build/robust/bin/rkb")),
                   demo_build_seconds=int(re.search(r"Prepared in (\d+) s", printed)[1]),
                   demo_seconds=int(re.search(r"^(\d+) s; records", printed, re.MULTILINE)[1]))
    sums = collections.defaultdict(lambda: [0, 0.0])
    for output, seconds in steps_of(clone):
        sums[part_of(output)][0] += 1
        sums[part_of(output)][1] += seconds
    whole = sum(seconds for _, seconds in sums.values())
    parts = sorted(sums.items(), key=lambda item: -item[1][1])
    figures.record_table("build", ["part", "steps", "seconds", "share, %"],
                         [[part, count, round(seconds), round(100 * seconds / whole)]
                          for part, (count, seconds) in parts if seconds >= whole / 100])


if __name__ == "__main__":
    main()
