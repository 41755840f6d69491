#!/usr/bin/env python3
"""Lists CUDA kernels with what their replay says beside what their own process does.

  benchmarks/replay_agreement.py --out figures [--published robust-kbench] [--rkb build/robust/bin/rkb]
        [--only REGEX]

The kernels are those that we ship, the published ones of a checkout of SakanaAI/robust-kbench, and
the honest ones of tests/honest/cuda. Needs a GPU and a build of the suite. Each is evaluated by
`rkb evaluate --judge replay` on the task's single config, since several published ones are wrong
elsewhere. Writes figures/figures.md, figures/run.json for docs/runs/replay_agreement.json, the
records beside it and, after each kernel, figures/so_far.md. --only repeats the kernels whose
"GROUP TASK DIRECTION FILE" it matches, and puts their rows into the figures of the run before.
"""

import concurrent.futures
import json
import pathlib
import re
import statistics

from figures import Figures, figures_parser, machine, table_text, torch_version

SOURCE = pathlib.Path(__file__).resolve().parent.parent
AT_A_TIME = 6  # tests share the GPU; timing is one by one
SECONDS = 480  # for all kernels of one command
HONEST_AT_A_TIME = 11  # in one command
NOTE = re.compile(r"([-\d.]+) to ([-\d.]+) us .* its events say ([-\d.]+) us")
COUNTS = re.compile(r"longer than ([-\d.]+) us in its own process")  # else that time counts
HEADER = ["kernels", "kernel", "verdict", "judged", "own process (us)", "replay (us)",
          "its interval (us)", "difference (%)", "agrees", "events of the replayer (us)", "reason"]


def parse_arguments():
    parser = figures_parser(__doc__)
    parser.add_argument("--published", type=pathlib.Path)
    parser.add_argument("--rkb", type=pathlib.Path, default=SOURCE / "build/robust/bin/rkb")
    parser.add_argument("--only", type=re.compile)
    return parser.parse_args()


def figures_of(record):
    """The time in the kernel's own process, that of its replay, and the note of each config."""
    for timing in record["timings"]:
        own = next((s for s in timing["subjects"] if s["subject"] == "kernel"), None)
        replays = [e for e in timing["estimates"]
                   if e["estimator"] == "replay" and e["subject"] == "kernel"]
        if own and replays:
            yield timing["config"], own, replays[0]


def row_of(group, record):
    name = f"{record['task']} {record['direction']}"
    if group == "honest":
        name = record["name"]
    found = next(figures_of(record), None)
    row = [group, name, record["verdict"], record.get("judged") or "-"]
    if found is None:
        reason = (record.get("judged_reason") or record["reason"]).partition("\n")[0]
        return [*row, *["-"] * 6, reason or "-"]
    _, own, replay = found
    counts = COUNTS.search(replay["note"])
    own_us = float(counts[1]) if counts else own["median_us"]
    share = 100 * (replay["time_us"] / own_us - 1)
    low, high, events = map(float, NOTE.match(replay["note"]).groups())
    agrees = abs(share) <= 2 or (
        not counts and low <= own["ci_high_us"] and own["ci_low_us"] <= high)
    return [*row, round(own_us, 2), round(replay["time_us"], 2), f"{low} to {high}",
            f"{share:+.1f}", "yes" if agrees else "no", events, "-"]


class ReplayAgreement(Figures):
    def __init__(self, arguments):
        super().__init__(arguments.out)
        self.arguments = arguments
        self.earlier_rows = []
        if arguments.only:
            earlier = json.loads((self.out / "run.json").read_text())
            self.recorded["command"] = earlier["command"]
            self.earlier_rows = earlier["tables"]["kernels"]["rows"]

    def chosen_jobs(self):
        for group, task, direction, sources in self.jobs():
            chosen = [source for source in sources if not self.arguments.only
                      or self.arguments.only.search(f"{group} {task} {direction} {source.stem}")]
            if chosen:
                yield group, task, direction, chosen

    def jobs(self):
        """What is evaluated together: a group, a task, a direction, and sources. Longest first."""
        # The task of the others' gradients is one of the tests alone.
        honest = [source for source in sorted((SOURCE / "tests/honest/cuda").glob("*.cu"))
                  if '"forward"' in source.read_text()]
        for begin in range(0, len(honest), HONEST_AT_A_TIME):
            yield "honest", "mnist_linear", "forward", honest[begin:begin + HONEST_AT_A_TIME]
        for source in sorted((SOURCE / "kernels").glob("*/*/*.cu")):
            yield "shipped", source.parts[-3], source.parts[-2], [source]
        if self.arguments.published:
            for source in sorted((self.arguments.published / "highlighted").glob("*/*/kernel.cu")):
                yield "published", source.parts[-3], source.parts[-2], [source]

    def rows_of(self, job):
        group, task, direction, sources = job
        name = f"{group}.{task}.{direction}.{sources[0].stem}"
        records = self.records_of(
            name, self.arguments.rkb, SECONDS,
            *["--task", task, "--direction", direction, "--judge", "replay", "--no-sanitize"],
            *["--configs", "single", "--scope", "listed", "--seeds", 1],
            *["--against", "empty", *sources],
        )
        if not records:
            return [[group, name, "no record", *["-"] * 7, "see its log"]]
        return [row_of(group, record) for record in records]

    def measure(self):
        rows = []
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            for job in concurrent.futures.as_completed(
                pool.submit(self.rows_of, job) for job in list(self.chosen_jobs())
            ):
                rows += job.result()
                # A run that is cut off leaves what it has.
                (self.out / "so_far.md").write_text(table_text(HEADER, sorted(rows, key=str)))
        repeated = len(rows) if self.arguments.only else 0
        known = {tuple(row[:2]) for row in rows}
        rows += [row for row in self.earlier_rows if tuple(row[:2]) not in known]
        replayed = [row for row in rows if row[3] == "replay"]
        self.record(machine(torch_version(self.arguments.rkb)), listed=len(rows),
                    repeated=repeated, replayed=len(replayed), agree=sum(row[8] == "yes" for row in replayed))
        self.record_table("kernels", HEADER, sorted(rows, key=str))
        shares = [abs(float(row[7])) for row in rows if row[7] != "-"]
        print(f"{len(replayed)} of {len(rows)} replayed; "
              f"median difference {statistics.median(shares) if shares else 0:.1f} %")


if __name__ == "__main__":
    ReplayAgreement(parse_arguments()).measure()
