#!/usr/bin/env python3
"""Says where the time of the suite goes.

  benchmarks/suite_time.py --out DIRECTORY [JUNIT]

JUNIT is what `ctest --preset robust --output-junit JUNIT` has written. Without it both presets are
run, for which nothing else should run. Tests run a few at a time, so their seconds add up to more
than the run takes. DIRECTORY/run.json is for docs/runs/suite_time.json.
"""

import argparse
import collections
import os
import pathlib
import re
import resource
from xml.etree import ElementTree

from figures import ROOT, Figures, machine, torch_version

CASE = re.compile(r"\.(forward|backward)\.[^.]+\.(?P<kind>small/|single/|multi/|sequence|probe|drawn)")
KINDS = {"small/": "cases: seeds", "single/": "cases: seeds", "multi/": "cases: seeds",
         "sequence": "cases: sequences", "probe": "cases: probes", "drawn": "cases: drawn configs"}


def group_of(test):
    """What a test belongs to: a kind of case, a room's unit tests, or the first word of its name."""
    if case := CASE.search(test):
        return KINDS[case["kind"]]
    words = test.split(".")
    return ".".join(words[:2]) if words[0] == "unit" else words[0]


def durations(junit):
    """Pairs of a test's name and its seconds."""
    for case in ElementTree.parse(junit).getroot().iter("testcase"):
        if case.get("status") != "disabled":
            yield case.get("name"), float(case.get("time"))


def rows_of(tests):
    groups = collections.defaultdict(list)
    for name, seconds in tests:
        groups[group_of(name)].append(seconds)
    whole = sum(seconds for _, seconds in tests)
    return [[group, len(each), round(sum(each)), round(100 * sum(each) / whole), round(max(each), 1)]
            for group, each in sorted(groups.items(), key=lambda item: -sum(item[1]))
            if sum(each) >= whole / 100]


def run_presets(figures, junit):
    """Runs robust-quick and robust, and records what they take."""
    def run(preset):
        return round(figures.run(preset, "ctest", "--preset", preset, "--output-junit", junit))

    def cpu_seconds():
        usage = resource.getrusage(resource.RUSAGE_CHILDREN)
        return usage.ru_utime + usage.ru_stime

    quick_seconds, before = run("robust-quick"), cpu_seconds()
    figures.record(quick_seconds=quick_seconds, seconds=run("robust"),
                   cpu_seconds=round(cpu_seconds() - before))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("junit", nargs="?", type=pathlib.Path)
    options = parser.parse_args()
    figures = Figures(options.out)
    junit = (options.junit or figures.out / "junit.xml").resolve()
    os.chdir(ROOT)  # where ctest looks for presets
    if options.junit is None:
        run_presets(figures, junit)
    figures.record(machine(torch_version("build/robust/bin/rkb")))
    figures.record_table("groups", ["tests of", "tests", "seconds", "share in %", "longest"],
                         rows_of(list(durations(junit))))


if __name__ == "__main__":
    main()
