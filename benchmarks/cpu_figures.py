#!/usr/bin/env python3
"""Runs `rkb demo --all`, and makes the CPU figures of README.md and docs/results.md from it.

  benchmarks/cpu_figures.py --out figures [--rkb build/robust/bin/rkb]

figures/run.json becomes docs/runs/cpu_demo.json, from which docs/make_figures.py writes the pages.
Exits with 1 where a kernel was rejected.
"""

import json
import pathlib
import statistics
import sys

from figures import ROOT, Figures, figures_parser, machine, torch_version

def parse_arguments():
    parser = figures_parser(__doc__)
    parser.add_argument("--rkb", type=pathlib.Path, default=ROOT / "build/robust/bin/rkb")
    return parser.parse_args()


def mean_time(record, subject):
    """Microseconds of a call, the geometric mean over the timed configs."""
    return statistics.geometric_mean(
        timed["median_us"] for config in record["timings"] for timed in config["subjects"]
        if timed["subject"] == subject
    )


def row_of(record):
    eager = next(s for s in record["mean_speedups"] if s["against"] == "eager")
    return [f"{record['task']} {record['direction']}", record["name"],
            mean_time(record, "kernel"), mean_time(record, "eager"),
            [eager["ratio"], eager["ci_low"], eager["ci_high"]]]


def main():
    arguments = parse_arguments()
    figures = Figures(arguments.out)
    records = figures.out / "records.json"
    seconds = figures.run("demo", arguments.rkb, "demo", "--all", "--json", records, check=False)
    kernels = json.loads(records.read_text())["kernels"]
    cases = [case for kernel in kernels for case in kernel["cases"]]
    figures.record(
        machine(torch_version(arguments.rkb)), seconds=round(seconds), kernels=len(kernels),
        passed=sum(kernel["verdict"] == "pass" for kernel in kernels), cases=len(cases),
        faster=sum(row_of(kernel)[-1][1] > 1 for kernel in kernels if kernel["timings"]),
    )
    columns = ["entry", "kernel", "kernel, us", "eager, us", "eager / kernel"]
    figures.record_table("entries", columns, [row_of(k) for k in kernels if k["timings"]])
    if figures.failed:
        sys.exit(1)


if __name__ == "__main__":
    main()
