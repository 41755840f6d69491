#!/usr/bin/env python3
"""Measures where the seconds of `rkb evaluate` go, and how wide the resulting interval is.

Compiles, tests and times one kernel in each round, nothing cached. Wall seconds of compiling and of
the cases are the record's; the rest is starting, timing and ending. Processor seconds are those of
all processes together. Each figure is the median of the rounds, followed by the least and the
greatest. Several --rkb or --judge take turns, so that all meet the same machine.

usage: evaluate_time.py [--rkb RKB]... [--judge JUDGE]... [--task TASK] [--direction D]
                        [--rounds N] [--cpus LIST] [KERNEL]
"""

import argparse
import json
import math
import os
import pathlib
import statistics
import subprocess
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--rkb", action="append", help="program to run; more than one take turns")
    parser.add_argument("--judge", action="append", choices=["in_process", "replay"],
                        help="of a CUDA kernel; both take turns; default: that of rkb evaluate")
    parser.add_argument("--task", default="mnist_linear")
    parser.add_argument("--direction", default="forward")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--cpus", help="CPUs to run on, as 0,1; default: all")
    parser.add_argument("kernel", nargs="?",
                        default=str(ROOT / "kernels/mnist_linear/forward/blocked.cpp"))
    options = parser.parse_args()
    options.rkb = options.rkb or [str(ROOT / "build/robust/bin/rkb")]
    options.judge = options.judge or [""]
    return options


def evaluate(rkb, judge, options, path):
    """Seconds by stage, and half the interval of the mean speed-up in per cent."""
    command = [rkb, "evaluate", "--task", options.task, "--direction", options.direction,
               *(["--judge", judge] if judge else []), "--no-cache", "--json", path,
               options.kernel]
    before = os.times()
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wall = time.monotonic() - start
    after = os.times()
    if done.returncode != 0:
        raise SystemExit(f"{rkb} exited with {done.returncode}:\n{done.stdout}{done.stderr}")
    record = json.loads(pathlib.Path(path).read_text())["kernels"][0]
    compiling = record["compile_seconds"]
    testing = sum(case["total_seconds"] for case in record["cases"])
    speedup = record["mean_speedups"][0]
    width = math.log(speedup["ci_high"] / speedup["ci_low"])
    return {
        "compile, s": compiling,
        f"{len(record['cases'])} cases, s": testing,
        "start, timing and end, s": wall - compiling - testing,
        "all, s": wall,
        "processor, s": (after.children_user + after.children_system - before.children_user
                         - before.children_system),
        "interval of the mean speed-up, +- %": 100 * (math.exp(width / 2) - 1),
    }


def main():
    options = parse_arguments()
    if options.cpus:
        os.sched_setaffinity(0, {int(cpu) for cpu in options.cpus.split(",")})
    rounds = {(rkb, judge): [] for rkb in options.rkb for judge in options.judge}
    with tempfile.TemporaryDirectory() as directory:
        for _ in range(options.rounds):
            for (rkb, judge), seen in rounds.items():
                seen.append(evaluate(rkb, judge, options, f"{directory}/record.json"))
    for subject, seen in rounds.items():
        print(f"\n{' '.join(subject)}\n\n| what | median | least to greatest |\n|---|---|---|")
        for name in seen[0]:
            values = [figures[name] for figures in seen]
            print(f"| {name} | {statistics.median(values):.1f} | "
                  f"{min(values):.1f} to {max(values):.1f} |")


if __name__ == "__main__":
    main()
