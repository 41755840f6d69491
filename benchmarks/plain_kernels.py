#!/usr/bin/env python3
"""Tests the plain kernels of the tasks in all their cases, and times them.

Each is timed against torch's eager mode and the shipped kernel of its entry, all in turns. Prints a
table in Markdown: times are geometric means over the timed configs, and intervals are of 95 %.

usage: plain_kernels.py [--rkb RKB] [--device cpu|cuda] [--task TASK]... [--json FILE]
"""

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n", maxsplit=1)[0])
    parser.add_argument("--rkb", default=str(ROOT / "build/robust/bin/rkb"))
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--task", action="append", help="default: every task")
    parser.add_argument("--json", type=pathlib.Path, help="where to write the records")
    return parser.parse_args()


def submissions(options):
    """One for each plain kernel; its id is the entry."""
    done = subprocess.run([options.rkb, "list", "--json", "-"], capture_output=True, text=True, check=True)
    suite = json.loads(done.stdout)
    extension = ".cu" if options.device == "cuda" else ".cpp"
    for task in suite["tasks"]:
        for direction in task["directions"]:
            plain = ROOT / "tasks" / task["name"] / (direction + extension)
            if options.task and task["name"] not in options.task:
                continue
            if not plain.exists():
                sys.exit(f"{plain} is missing: {task['name']} has no plain kernel")
            rivals = {
                kernel["name"]: {"paths": [kernel["path"]]}
                for kernel in suite["kernels"]
                if (kernel["task"], kernel["direction"], kernel["device"])
                == (task["name"], direction, options.device)
            }
            yield {
                "type": "submit",
                "id": f"{task['name']} {direction}",
                "task": task["name"],
                "direction": direction,
                "paths": [str(plain)],
                "rivals": rivals,
                "scope": {"all_cases": True},
            }


def evaluate(options):
    """Yields an entry and its `final` line at a time."""
    with subprocess.Popen([options.rkb, "serve"], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          text=True) as server:
        for submission in submissions(options):
            server.stdin.write(json.dumps(submission) + "\n")
        server.stdin.close()
        for line in map(json.loads, server.stdout):
            if line["type"] in ("error", "rival"):
                print(line["reason"], file=sys.stderr)
            if line["type"] == "final":
                yield line["id"], line


def mean_time(record):
    """Microseconds of a call of the plain kernel, the geometric mean over the timed configs."""
    times = [subject["median_us"] for timing in record["timings"] for subject in timing["subjects"]
             if subject["subject"] == "kernel"]
    return statistics.geometric_mean(times)


def interval(low, ratio, high):
    return f"{ratio:.2f} ({low:.2f} to {high:.2f})"


def row(entry, final):
    if final["record"] is None:
        return f"| {entry} | {final['reason']} | | | |"
    record = final["record"]["kernels"][0]
    cases = record["cases"]
    passed = sum(case["verdict"] == "pass" and not case["refused"] for case in cases)
    count = f"{passed}/{len(cases) + record['cases_not_called']}"
    if not record["timings"]:
        return f"| {entry} | {count} | {record['verdict']} | | |"
    speedups = {speedup["against"]: speedup for speedup in record["mean_speedups"]}
    eager = speedups.pop("eager")
    shipped = [
        f"{name} {interval(1 / s['ci_high'], 1 / s['ratio'], 1 / s['ci_low'])}"
        for name, s in speedups.items()
    ]
    over_eager = interval(eager["ci_low"], eager["ratio"], eager["ci_high"])
    return f"| {entry} | {count} | {mean_time(record):.3g} us | {over_eager} | {', '.join(shipped)} |"


def main():
    options = parse_arguments()
    print("| entry | cases passed | plain | plain over eager | shipped over plain |\n"
          "|---|---|---|---|---|")
    records = []
    failed = False
    for entry, final in evaluate(options):
        print(row(entry, final), flush=True)
        records.append(final["record"])
        failed |= final["verdict"] != "pass"
    if options.json:
        options.json.write_text(json.dumps(records))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
