#!/usr/bin/env python3
"""Lists CUDA kernels with what their replay says beside what their own process does.

  benchmarks/replay_agreement.py --out figures [--published robust-kbench] [--rkb build/robust/bin/rkb]

The kernels are those that we ship, the published ones of a checkout of SakanaAI/robust-kbench, and
the honest ones of tests/honest/cuda. Needs a GPU and a build of the suite. Each is evaluated by
`rkb evaluate --judge replay` on one case of each kind and its timed configs. Writes
figures/figures.md, the records beside it and, after each kernel, figures/so_far.md.
"""

import argparse
import concurrent.futures
import pathlib
import statistics

from figures import Figures, table_text

SOURCE = pathlib.Path(__file__).resolve().parent.parent
AT_A_TIME = 6  # tests share the GPU; timing is one by one
SECONDS = 240  # for all kernels of one command
HONEST_AT_A_TIME = 11  # in one command


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--published", type=pathlib.Path)
    parser.add_argument("--rkb", type=pathlib.Path, default=SOURCE / "build/robust/bin/rkb")
    return parser.parse_args()


def figures_of(record):
    """The time in the kernel's own process, that of its replay, and the note of each config."""
    for timing in record["timings"]:
        own = next((s for s in timing["subjects"] if s["subject"] == "kernel"), None)
        replays = [e for e in timing["estimates"] if e["estimator"] == "replay"]
        if own and replays:
            yield timing["config"], own, replays[0]


def row_of(group, record):
    name = f"{record['task']} {record['direction']}"
    if group == "honest":
        name = record["name"]
    found = next(figures_of(record), None)
    judged = record.get("judged") or "-"
    if found is None:
        reason = (record.get("judged_reason") or record["reason"]).partition("\n")[0]
        return [group, name, record["verdict"], judged, "-", "-", "-", reason or "-"]
    _, own, replay = found
    share = 100 * (replay["time_us"] / own["median_us"] - 1)
    return [group, name, record["verdict"], judged, round(own["median_us"], 2),
            round(replay["time_us"], 2), f"{share:+.1f}", replay["note"]]


class ReplayAgreement(Figures):
    def __init__(self, arguments):
        super().__init__(arguments.out)
        self.arguments = arguments

    def jobs(self):
        """What is evaluated together: a group, a task, a direction, and sources."""
        for source in sorted((SOURCE / "kernels").glob("*/*/*.cu")):
            yield "shipped", source.parts[-3], source.parts[-2], [source]
        if self.arguments.published:
            for source in sorted((self.arguments.published / "highlighted").glob("*/*/kernel.cu")):
                yield "published", source.parts[-3], source.parts[-2], [source]
        honest = sorted((SOURCE / "tests/honest/cuda").glob("*.cu"))
        for begin in range(0, len(honest), HONEST_AT_A_TIME):
            yield "honest", "mnist_linear", "forward", honest[begin:begin + HONEST_AT_A_TIME]

    def rows_of(self, job):
        group, task, direction, sources = job
        name = f"{group}.{task}.{direction}.{sources[0].stem}"
        records = self.records_of(
            name, self.arguments.rkb, SECONDS,
            *["--task", task, "--direction", direction, "--judge", "replay", "--scope", "quick"],
            *["--no-sanitize", *sources],
        )
        if not records:
            return [[group, name, "no record", "-", "-", "-", "-", "see its log"]]
        return [row_of(group, record) for record in records]

    def measure(self):
        header = ["kernels", "kernel", "verdict", "judged", "own process, us", "replay, us",
                  "difference, %", "note"]
        rows = []
        with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
            for job in concurrent.futures.as_completed(
                pool.submit(self.rows_of, job) for job in list(self.jobs())
            ):
                rows += job.result()
                # A run that is cut off leaves what it has.
                (self.out / "so_far.md").write_text(table_text(header, sorted(rows, key=str)))
        self.table(header, sorted(rows, key=str))
        shares = [abs(float(row[6])) for row in rows if row[6] != "-"]
        replayed = sum(row[3] == "replay" for row in rows)
        print(f"{replayed} of {len(rows)} replayed; "
              f"median difference {statistics.median(shares) if shares else 0:.1f} %")


if __name__ == "__main__":
    ReplayAgreement(parse_arguments()).measure()
