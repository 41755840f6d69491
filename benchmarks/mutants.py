#!/usr/bin/env python3
"""Counts how many wrong kernels, made by rules from right ones, the evaluator stops.

  benchmarks/mutants.py --out DIRECTORY [--device cuda] [--count 400] [--at-a-time 1] [--survivors]
        [--recorded]

The rules are those of tests/mutants/ that change what a kernel computes or where it writes. Each
rule in turn gives a mutant of another kernel of the repository, until there are enough. A
mutant that does not compile is not counted. tests/mutants/survivors.json says of mutants that
compute what the kernel computes why they do. DIRECTORY/run.json is for docs/runs/mutants.json, or
with --device cuda for docs/runs/mutants_cuda.json. --survivors prints the differences of those
without a reason. --recorded evaluates nothing: it counts what a run has left in DIRECTORY that was
cut off.
"""

import argparse
import collections
import difflib
import json
import pathlib
import sys

from figures import ROOT, Figures, machine, torch_version

sys.path.insert(0, str(ROOT / "tests/mutants"))
import mutant_set  # noqa: E402

BUILD = ROOT / "build/robust"
EXPLAINED = ROOT / "tests/mutants/survivors.json"
SUFFIXES = {"cpu": ".cpp", "cuda": ".cu"}
INTENTS = ("memory", "numerics")
MOST_PER_KERNEL = 30


def key(mutant):
    return mutant["kernel"], mutant["rule"], mutant["place"], mutant["hash"]


def difference(mutant):
    before = (ROOT / mutant["kernel"]).read_text().splitlines()
    lines = difflib.unified_diff(before, mutant["source"].splitlines(), n=1, lineterm="")
    return "\n".join(list(lines)[2:])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--device", choices=SUFFIXES, default="cpu")
    parser.add_argument("--at-a-time", type=int, default=1, help="tasks at a time")
    parser.add_argument("--count", type=int, default=400, help="mutants to evaluate")
    parser.add_argument("--survivors", action="store_true", help="print those without a reason")
    parser.add_argument("--recorded", action="store_true", help="count what an earlier run left")
    options = parser.parse_args()
    figures = Figures(options.out)
    meant = [mutant for mutant in mutant_set.candidates(BUILD, SUFFIXES[options.device])
             if mutant["intent"] in INTENTS]
    chosen = mutant_set.spread(meant, options.count, MOST_PER_KERNEL)
    work = figures.out / "work"
    verdicts = mutant_set.verdicts_of(
        mutant_set.write_sources(work, chosen) if options.recorded else
        mutant_set.evaluate(BUILD, work, chosen, options.at_a_time))
    equivalent = {key(row) for row in json.loads(EXPLAINED.read_text())["mutants"]}

    counts = collections.defaultdict(collections.Counter)
    for mutant in chosen:
        path = str(mutant["path"])
        if options.recorded and path not in verdicts:
            continue
        verdict = verdicts[path]
        if verdict == "compile_error":
            continue
        outcome = ("killed" if verdict != "pass" else
                   "equivalent" if key(mutant) in equivalent else "survived")
        for row in (mutant["rule"], "all rules"):
            counts[row][outcome] += 1
        if outcome == "survived" and options.survivors:
            print(json.dumps({name: mutant[name] for name in ("kernel", "rule", "place", "hash")}))
            print(difference(mutant), end="\n\n")
    figures.record(machine(torch_version(BUILD / "bin/rkb")))
    rows = [[rule, sum(each.values()), each["killed"], each["equivalent"], each["survived"]]
            for rule, each in sorted(counts.items(), key=lambda item: (item[0] == "all rules", item[0]))]
    figures.record_table("mutants", ["rule", "mutants", "stopped", "compute the same", "passed wrongly"],
                         rows)


if __name__ == "__main__":
    main()
