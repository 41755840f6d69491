#!/usr/bin/env python3
"""How often a run accepts a child that is no faster, and how often one that is 10 % faster.

  benchmarks/acceptance.py --out accepted [--children 50] [--jobs 1] [--cpus 2]

Both use a kernel of mnist_cross_entropy that spends about 100 us in a chain of multiplications.
Equal: a parent is proposed as its own child, with de-duplication off, ten times in each run.
Faster: the child's chain is shorter by a tenth, and each run has one child. Each race has new
workers. Runs that have ended are not repeated.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import time

import side_by_side

SOURCE = pathlib.Path(__file__).resolve().parent.parent
EQUAL_PER_RUN = 10
STEPS = 30000
ENTRY = "torch::Tensor forward(torch::Tensor predictions, torch::Tensor targets) {\n"
CHAIN = """namespace {{

void spend() {{
  volatile float product = 1.0f;
  for (int step = 0; step < {steps}; ++step) product = product * 1.0000001f;
}}

}}  // namespace

"""


def write_kernel(path, steps):
    plain = (SOURCE / "tasks/mnist_cross_entropy/forward.cpp").read_text()
    assert plain.count(ENTRY) == 1
    path.write_text(plain.replace(ENTRY, CHAIN.format(steps=steps) + ENTRY + "  spend();\n"))


def outcomes(archive):
    """The outcome and the reason's class of each child of the archive's run that has ended."""
    events = archive / "events.jsonl"
    lines = events.read_text().splitlines() if events.exists() else []
    rows = {}
    ended = False
    for event in map(json.loads, lines):
        ended |= event["event"] == "run_changed" and event["state"] == "ended"
        if event["event"] == "accepted":
            rows[event["id"]] = "accepted"
        if event["event"] == "proposal" and event["proposer"] != "seed":
            if event["outcome"] == "refused" and rows.get(event["id"]) != "accepted":
                rows[event["id"]] = event["reason_class"]
    return list(rows.values()) if ended else None


def evolve(arguments, name, child, children, pin):
    archive = arguments.out / name
    if outcomes(archive) is not None:
        return
    archive.mkdir(parents=True, exist_ok=True)
    command = [arguments.build / "bin" / "rkb", "evolve", "--task", "mnist_cross_entropy",
               "--seed-kernel", arguments.out / "parent.cpp", "--archive", archive]
    for setting in ("proposers=command", "command=" + json.dumps(["cat", str(child)]), "configs=single", "minutes=60",
                    "deduplicate=false", "profile=false", f"max_evaluations={children}",
                    f"plateau={children + 1}"):
        command += ["--set", setting]
    with open(archive / "output.txt", "w", encoding="utf-8") as output:
        subprocess.run(command, check=False, stdout=output, stderr=output, preexec_fn=pin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build" / "robust")
    parser.add_argument("--children", type=int, default=50)
    side_by_side.add_options(parser)
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    parent, faster = arguments.out / "parent.cpp", arguments.out / "faster.cpp"
    write_kernel(parent, STEPS * 11 // 10)
    write_kernel(faster, STEPS)
    runs = [(f"equal_{i}", parent, EQUAL_PER_RUN) for i in range(arguments.children // EQUAL_PER_RUN)]
    runs += [(f"faster_{i}", faster, 1) for i in range(arguments.children)]
    start = time.monotonic()
    side_by_side.side_by_side(arguments, lambda run, pin: evolve(arguments, *run, pin), runs)
    print(f"{time.monotonic() - start:.0f} s\n\n| children | accepted | refused as |\n|---|---|---|")
    for kind in ("equal", "faster"):
        found = [outcome for name, _, _ in runs if name.startswith(kind)
                 for outcome in outcomes(arguments.out / name) or ["its run did not end"]]
        refused = collections.Counter(outcome for outcome in found if outcome != "accepted")
        text = ", ".join(f"{count} {reason}" for reason, count in refused.most_common())
        print(f"| {len(found)} {kind} | {found.count('accepted')} | {text} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
