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
import json
import pathlib
import shutil
import subprocess
import sys

from exploits_in_a_run import ENTRY, NEXT, SPEND

SOURCE = pathlib.Path(__file__).resolve().parent.parent


def candidate(entry, number):
    """The text of a distinct candidate."""
    task, direction = entry.split(".")
    text = (SOURCE / "tasks" / task / f"{direction}.cpp").read_text()
    found = ENTRY.search(text)
    mark = f"  static volatile int mark = {number};\n  mark = mark + 1;\n"
    before = ""
    if number % 2 == 0:
        assert text.count("  return y;\n") == 1
        text = text.replace("  return y;\n", "  y.data_ptr<float>()[0] += 1.0f;\n  return y;\n")
    elif number % 4 == 1:
        before, mark = SPEND, mark + "  spend();\n"
    return f"{text[:found.start()]}{before}{found.group()}{mark}{text[found.end():]}"


def moment(event):
    return datetime.datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp()


def measure(arguments, entry):
    rkb = arguments.build / "bin" / "rkb"
    directory = arguments.out / entry
    shutil.rmtree(directory, ignore_errors=True)
    queue = directory / "queue"
    queue.mkdir(parents=True)
    for number in range(arguments.candidates):
        (queue / f"{number:04}.cpp").write_text(candidate(entry, number))
    (directory / "next.sh").write_text(NEXT)
    task, direction = entry.split(".")
    command = [rkb, "evolve", "--task", task, "--direction", direction, "--device", "cpu",
               "--seed-kernel", "plain", "--archive", directory / "archive"]
    next_one = json.dumps(["/bin/sh", str(directory / "next.sh"), str(queue)])
    for setting in ("proposers=command", f"command={next_one}", "minutes=600",
                    f"population={arguments.candidates}", "max_generations=1",
                    f"plateau={arguments.candidates + 1}"):
        command += ["--set", setting]
    with open(directory / "output.txt", "w", encoding="utf-8") as output:
        subprocess.run(command, check=True, stdout=output, stderr=output)
    events = [json.loads(line)
              for line in (directory / "archive" / "events.jsonl").read_text().splitlines()]
    raced = next(i for i, event in enumerate(events) if event["event"] == "seeds")
    decided = [event for event in events[raced:]
               if event["event"] == "proposal" and event["outcome"] in ("refused", "accepted")]
    first = next(event for event in events[raced:] if event["event"] == "trying")
    seconds = moment(decided[-1]) - moment(first)
    exported = subprocess.run([rkb, "archive", "export", f"{entry}.cpu.1", "--archive",
                               directory / "archive"], check=True, capture_output=True, text=True)
    rows = [row for row in map(json.loads, exported.stdout.splitlines())
            if row["type"] == "proposal" and row["proposer"] != "seed"]
    stages = sum(sum(row["seconds"].values()) for row in rows)
    reasons = {}
    for row in rows:
        reason = row["reason_class"] if row["outcome"] == "refused" else row["outcome"]
        reasons[reason] = reasons.get(reason, 0) + 1
    return len(rows), seconds, (seconds - stages) / len(rows), reasons


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build" / "robust")
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
