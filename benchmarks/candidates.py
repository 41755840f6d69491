#!/usr/bin/env python3
"""How many distinct candidates a run of `rkb evolve` decides in a minute, and what its loop costs.

  benchmarks/candidates.py --out DIRECTORY [--entries layernorm.forward,mnist_linear.forward]
                           [--candidates 24]

All compile. Half are wrong in one element, a quarter is right and slower than the parent, and a
quarter is as fast. The parent is the plain kernel. The loop's cost is what a candidate takes beside
its stages: to propose it, to decide and to record.
"""

import argparse
import datetime
import pathlib
import shutil
import sys

import evolve_run

STEPS = 600000  # 2 ms


def candidate(entry, number):
    """The text of a distinct candidate."""
    text = evolve_run.plain_kernel(entry)
    if number % 2 == 0:
        assert text.count("  return y;\n") == 1
        text = text.replace("  return y;\n", "  y.data_ptr<float>()[0] += 1.0f;\n  return y;\n")
    elif number % 4 == 1:
        text = evolve_run.slower(text, STEPS)
    entry_point = evolve_run.ENTRY.search(text)
    mark = f"  static volatile int mark = {number};\n  mark = mark + 1;\n"
    return f"{text[:entry_point.end()]}{mark}{text[entry_point.end():]}"


def moment(event):
    return datetime.datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp()


def measure(arguments, entry):
    rkb = arguments.build / "bin" / "rkb"
    directory = arguments.out / entry
    shutil.rmtree(directory, ignore_errors=True)
    archive = directory / "archive"
    texts = {f"{number:04}.cpp": candidate(entry, number) for number in range(arguments.candidates)}
    evolve_run.evolve(rkb, entry, archive, evolve_run.propose_from(directory, texts))
    events = evolve_run.events_of(archive)
    raced = next(i for i, event in enumerate(events) if event["event"] == "seeds")
    decided = [event for event in events[raced:]
               if event["event"] == "proposal" and event["outcome"] in ("refused", "accepted")]
    first = next(event for event in events[raced:] if event["event"] == "trying")
    seconds = moment(decided[-1]) - moment(first)
    rows = evolve_run.proposals_of(rkb, archive)
    stages = sum(sum(row["seconds"].values()) for row in rows)
    reasons = {}
    for row in rows:
        reason = row["reason_class"] if row["outcome"] == "refused" else row["outcome"]
        reasons[reason] = reasons.get(reason, 0) + 1
    return len(rows), seconds, (seconds - stages) / len(rows), reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--entries", default="layernorm.forward,mnist_linear.forward")
    parser.add_argument("--candidates", type=int, default=24)
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    print("| entry | candidates | a minute | loop, s each | decided as |\n|---|---|---|---|---|")
    for entry in arguments.entries.split(","):
        count, seconds, loop, reasons = measure(arguments, entry)
        text = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        print(f"| {entry} | {count} | {60 * count / seconds:.1f} | {loop:.2f} | {text} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
