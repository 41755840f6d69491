#!/usr/bin/env python3
"""Lists what the kernels of tests/replay take in their own process and in their replays.

  benchmarks/replay_cases.py --out figures [--build build/robust] [--log LOG]

Runs the test, or reads what an earlier run of it has printed. Needs a GPU and the target replay_test.
Writes figures/figures.md, and figures/run.json for docs/runs/replay_cases.json.
"""

import pathlib
import re

from figures import ROOT, Figures, figures_parser, machine, torch_version

LINE = re.compile(
    r"^(\w+): by events ([-\d.]+) us in the worker, ([-\d.]+) in the replayer; of 64 together by our "
    r"clock ([-\d.]+) \(([-\d.]+) to ([-\d.]+)\)$", re.MULTILINE)
HEADER = ["kernel of tests/replay/kernels", "events in its own process, us",
          "events in the replayer, us", "broker's clock, us", "least", "most"]


def parse_arguments():
    parser = figures_parser(__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/robust")
    parser.add_argument("--log", type=pathlib.Path)
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    figures = Figures(arguments.out)
    log = arguments.log
    if log is None:
        figures.run("replay_test", arguments.build / "tests/replay/replay_test", check=False)
        log = figures.out / "replay_test.log"
    cases = LINE.findall(log.read_text())
    rows = [[f"`{name}`", *times] for name, *times in cases]
    own_us, replayed_us = next(case[1:3] for case in cases if case[0] == "launches_eight_times")
    figures.record(machine(torch_version(arguments.build / "bin/rkb")),
                   eight_launches_us=own_us, eight_launches_replayed_us=replayed_us)
    figures.record_table("times", HEADER, rows)


if __name__ == "__main__":
    main()
