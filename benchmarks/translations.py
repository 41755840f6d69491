#!/usr/bin/env python3
"""Counts the references that a language model translates, with and without feedback on its errors.

  benchmarks/translations.py --out DIRECTORY --max-usd 20 [--arms condensed,raw,independent]
                             [--entries layernorm.forward,...] [--repeats 3] [--attempts 10]
                             [--device cpu] [--model provider/name] [--set key=value]

An attempt sees the condensed error of the previous one, the full error, or nothing if all are made
at the same time. Runs that have ended are not repeated, and others continue. It prints one table,
and writes by_attempts.csv beside the runs: the share of right ones within so many attempts. The
intervals of shares are Wilson's, of 95 %. --max-usd limits all payments ever made below --out. No
run begins once the limit is spent.
"""

import argparse
import math
import pathlib
import statistics
import subprocess
import sys

import arms
import evolution
import evolve_run

ARMS = {"condensed": [], "raw": ["error_summary=false"],
        "independent": ["translate_independent=true"]}
NORMAL = 1.96


def wilson(right, total):
    """The share of right ones, with the interval that contains the true share."""
    share, square = right / total, NORMAL * NORMAL / total
    half = NORMAL * math.sqrt(share * (1 - share) / total + square / (4 * total))
    middle = share + square / 2
    return share, (middle - half) / (1 + square), (middle + half) / (1 + square)


def share_text(right, total):
    return "{:.2f} ({:.2f}..{:.2f})".format(*wilson(right, total))


def directory_of(arguments, arm, entry, repeat):
    return arguments.out / arm / f"{entry}.{repeat}.{arguments.device}"


def ended(archive):
    return evolve_run.ended_run(archive, translation=True)


def result_of(rkb, archive):
    """(attempts until the first right kernel or None, micro-dollars) of a run that has ended."""
    rows = evolve_run.exported(rkb, archive, ended(archive)["run"])
    right = [row["id"] for row in rows if row["type"] == "proposal" and
             row["outcome"] in ("accepted", "kept")]
    return min(right, default=None), arms.spent_micro_usd(rows)


def results_of(arguments):
    rkb = arguments.build / "bin" / "rkb"
    return {run: result_of(rkb, directory_of(arguments, *run)) for run in arguments.runs
            if ended(directory_of(arguments, *run))}


def translate(arguments, run):
    arm, entry, repeat = run
    archive = directory_of(arguments, *run)
    if ended(archive):
        return
    begun = [event["run"] for event in evolve_run.events_of(archive)]
    resumed = begun[-1] if begun else None
    left = evolve_run.usd_left(arguments.max_usd, arguments.out, archive, resumed)
    if left == 0:
        return
    task, direction = entry.split(".")
    command = [arguments.build / "bin" / "rkb", "translate", "--task", task, "--direction", direction,
               "--device", arguments.device, "--attempts", str(arguments.attempts), "--archive",
               archive, "--max-usd", f"{left:.6f}"]
    if arguments.model:
        command += ["--model", arguments.model]
    for setting in [f"seed={repeat}", *ARMS[arm], *arguments.set]:
        command += ["--set", setting]
    if resumed:
        command += ["--resume", resumed]
    archive.mkdir(parents=True, exist_ok=True)
    command.append(archive / ("kernel.cu" if arguments.device == "cuda" else "kernel.cpp"))
    with open(archive / "output.txt", "a", encoding="utf-8") as output:
        subprocess.run(command, check=False, stdout=output, stderr=output)


def table_of(results):
    lines = ["| arm | runs | right | attempts, median of the right ones | dollars |",
             "|---|---|---|---|---|"]
    for arm in dict.fromkeys(run[0] for run in results):
        of_arm = [result for run, result in results.items() if run[0] == arm]
        right = [attempts for attempts, _ in of_arm if attempts]
        costs = [cost for _, cost in of_arm]
        dollars = "not known" if min(costs) < 0 else f"{sum(costs) / 1e6:.2f}"
        median = f"{statistics.median(right):g}" if right else "-"
        lines.append(f"| {arm} | {len(of_arm)} | {share_text(len(right), len(of_arm))} | {median} | "
                     f"{dollars} |")
    return lines


def shares_by_attempts(results, most):
    rows = []
    for arm in dict.fromkeys(run[0] for run in results):
        needed = [attempts for run, (attempts, _) in results.items() if run[0] == arm]
        for attempts in range(1, most + 1):
            right = sum(1 for count in needed if count and count <= attempts)
            rows.append([arm, attempts, *(f"{value:.4f}" for value in wilson(right, len(needed)))])
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--max-usd", type=float, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--arms", default=",".join(ARMS))
    parser.add_argument("--entries", default="", help="default: all of the build")
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--attempts", type=int, default=10)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--model", default="", help="provider/name")
    parser.add_argument("--set", action="append", default=[], help="a further setting of each run")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    unknown = set(arguments.arms.split(",")) - set(ARMS)
    if unknown:
        parser.error(f"unknown arms {', '.join(sorted(unknown))}; known are {', '.join(ARMS)}")
    entries = (arguments.entries.split(",") if arguments.entries else
               evolution.entries_of(arguments.build / "bin" / "rkb"))
    arguments.runs = [(arm, entry, repeat) for repeat in range(1, arguments.repeats + 1)
                      for entry in entries for arm in arguments.arms.split(",")]
    for run in arguments.runs:
        translate(arguments, run)
    results = results_of(arguments)
    if results:
        arms.write_csv(arguments.out / "by_attempts.csv", ["arm", "attempts", "share", "low", "high"],
                       shares_by_attempts(results, arguments.attempts))
        print("\n".join(table_of(results)))
    missing = len(arguments.runs) - len(results)
    if missing:
        print(f"\n{missing} runs did not end; the same call goes on")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
