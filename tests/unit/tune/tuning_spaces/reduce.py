#!/usr/bin/env python3
"""Writes the tables beside this file from a clone of AutoTuningAssociation/benchmark_hub.

usage: reduce.py CLONE

A table has a line for each tunable with its values, one for each restriction, and one with the
devices. Each following line has the values of one setting and its time in ms on each device, -
where it failed.
"""

import ast
import gzip
import json
import pathlib
import sys

DEVICES = ("A100", "A4000", "A6000", "MI250X", "W6600", "W7800")
KERNELS = ("convolution", "dedispersion")


def shortest(time):
    """A time of four significant digits; failures are words in the data."""
    return "-" if isinstance(time, str) else f"{float(f'{time:.4g}'):g}"


def reduce(clone, kernel):
    """Returns the lines of one kernel's table."""
    space = json.loads((clone / "kernels" / f"{kernel}_milo.json").read_text())["ConfigurationSpace"]
    tunables = {tunable["Name"]: ast.literal_eval(tunable["Values"])
                for tunable in space["TuningParameters"]}
    for name, values in tunables.items():
        yield "\t".join(["tunable", name, ", ".join(map(str, values))])
    for condition in space["Conditions"]:
        yield "\t".join(["restriction", condition["Expression"]])
    yield "\t".join(["devices", *DEVICES])
    caches = []
    for device in DEVICES:
        with gzip.open(clone / "cachefiles" / f"{kernel}_milo" / f"{device}.json.gz") as file:
            caches.append(json.load(file)["cache"])
    for key, evaluation in sorted(caches[0].items()):
        values = [str(evaluation[name]) for name in tunables]
        times = [shortest(cache[key]["time"]) for cache in caches]
        yield "\t".join(values + times)


def main():
    clone = pathlib.Path(sys.argv[1])
    here = pathlib.Path(__file__).parent
    for kernel in KERNELS:
        (here / f"{kernel}.tsv").write_text("\n".join(reduce(clone, kernel)) + "\n")


if __name__ == "__main__":
    main()
