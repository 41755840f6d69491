#!/usr/bin/env python3
"""Measures how often a run accepts a child that is no faster, and one that is 10 % faster.

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
import sys
import time

import evolve_run
import side_by_side

ENTRY = "mnist_cross_entropy.forward"
EQUAL_PER_RUN = 10
STEPS = 30000


def outcomes(rkb, archive):
    """Each child of the run as "accepted", or as the class of the reason for its refusal."""
    if not evolve_run.ended_run(archive):
        return ["its run did not end"]
    # A child that only the confirmation refused was accepted by the races.
    return ["accepted" if row["outcome"] != "refused" or row["reason_class"] == "confirmation"
            else row["reason_class"] for row in evolve_run.proposals_of(rkb, archive)]


def evolve(arguments, name, child, children, pin):
    archive = arguments.out / name
    if evolve_run.ended_run(archive):
        return
    settings = ["proposers=command", "command=" + json.dumps(["cat", str(child)]), "configs=single",
                "minutes=60", "deduplicate=false", "profile=false", f"max_evaluations={children}",
                f"plateau={children + 1}"]
    evolve_run.evolve(arguments.build / "bin" / "rkb", ENTRY, archive, settings,
                      seed_kernel=arguments.out / "parent.cpp", pin=pin)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--children", type=int, default=50)
    side_by_side.add_options(parser)
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    parent, faster = arguments.out / "parent.cpp", arguments.out / "faster.cpp"
    plain = evolve_run.plain_kernel(ENTRY)
    parent.write_text(evolve_run.slower(plain, STEPS * 11 // 10))
    faster.write_text(evolve_run.slower(plain, STEPS))
    runs = [(f"equal_{i}", parent, EQUAL_PER_RUN)
            for i in range(arguments.children // EQUAL_PER_RUN)]
    runs += [(f"faster_{i}", faster, 1) for i in range(arguments.children)]
    start = time.monotonic()
    side_by_side.side_by_side(arguments, lambda run, pin: evolve(arguments, *run, pin), runs)
    print(f"{time.monotonic() - start:.0f} s\n\n| children | accepted | refused as |\n|---|---|---|")
    for kind in ("equal", "faster"):
        found = [outcome for name, _, _ in runs if name.startswith(kind)
                 for outcome in outcomes(arguments.build / "bin" / "rkb", arguments.out / name)]
        refused = collections.Counter(outcome for outcome in found if outcome != "accepted")
        text = ", ".join(f"{count} {reason}" for reason, count in refused.most_common())
        print(f"| {len(found)} {kind} | {found.count('accepted')} | {text} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
