#!/usr/bin/env python3
"""Measures how many candidates runs of `rkb evolve` decide in a minute, and where their seconds go.

  benchmarks/timeline.py --out DIRECTORY [--device cuda] [--minutes 2] [--detail] [--unsafe]
        [--runs llama_rmsnorm.forward:plain,mnist_cross_entropy.forward:plain,layernorm.forward:best]

A run is an entry and its first kernel. Unlike benchmarks/candidates.py these are the runs of a
user: the usual proposers, seeds, races, profiles and confirmation. Runs that have ended are not
repeated. The rate counts from the first candidate's beginning to the last decision, without
candidates that the run's end has cut off.
`--detail` also prints the time of each kernel by kind of evaluation. Its `waited` is the rest of
the time from its beginning to its decision: for processors, for a share of the GPU, and for races.
DIRECTORY/run.json is for docs/runs/evolution_rate_h100.json, the source of the page's table.
"""

import argparse
import datetime
import json
import pathlib
import sys

import evolve_run
from figures import Figures, machine

COLUMNS = ["entry", "begins with", "minutes", "candidates", "a minute", "first decided after, s",
           "confirmation, s", "all, s"]
USUAL = ("llama_rmsnorm.forward:plain,mnist_cross_entropy.forward:plain,"
         "layernorm.forward:best")


def moment(event):
    return datetime.datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp()


def by_kind(rows):
    sums = {}
    for row in rows:
        for kind, seconds in row["seconds"].items():
            sums[kind] = sums.get(kind, 0) + seconds
    return ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in sums.items())


def slowest(row, count=3):
    """The cases of a row's record that took longest."""
    kernels = (row.get("record") or {}).get("kernels") or [{}]
    cases = sorted(kernels[0].get("cases", []), key=lambda case: -case.get("total_seconds", 0))
    return ", ".join(f"{case['name']} {case.get('total_seconds', 0):.2f}" for case in cases[:count])


def reason_of(row):
    return row["reason_class"] if row["outcome"] == "refused" else row["outcome"]


class Timeline:
    """The moments of a run that has ended, in seconds since its beginning."""

    def __init__(self, rkb, archive):
        self.run = evolve_run.ended_run(archive)["run"]
        events = [event for event in evolve_run.events_of(archive) if event["run"] == self.run]
        self.begin = moment(events[0])
        raced = next(i for i, event in enumerate(events) if event["event"] == "seeds")
        self.raced = self.since(events[raced])
        rows = evolve_run.exported(rkb, archive, self.run)
        self.summary = rows[0]["summary"]
        self.rows = {row["id"]: row for row in rows if row["type"] == "proposal"}
        self.begun, self.decided, self.confirming = {}, {}, None
        self.end = self.since(events[-1])
        for event in events:
            if event["event"] in ("trying", "asking"):
                self.begun.setdefault(event["id"], self.since(event))
            elif event["event"] == "confirming" and self.confirming is None:
                self.confirming = self.since(event)
            elif event["event"] == "proposal" and event["outcome"]:
                self.decided.setdefault(event["id"], self.since(event))
            elif event["event"] == "proposal":
                self.end = max(self.end, self.since(event))
        self.candidates = [row for row in self.rows.values() if row["proposer"] != "seed"]

    def since(self, event):
        return moment(event) - self.begin

    def row(self):
        """The cells of a table."""
        ids = [row["id"] for row in self.candidates
               if row["id"] in self.decided and reason_of(row) != "time_limit"]
        if not ids:
            return [0, "-", "-", "-", f"{self.end:.0f}"]
        first, last = min(self.begun[i] for i in ids), max(self.decided[i] for i in ids)
        confirmed = f"{self.end - self.confirming:.0f}" if self.confirming else "-"
        return [len(ids), f"{60 * len(ids) / (last - first):.1f}",
                f"{min(self.decided[i] for i in ids):.0f}", confirmed, f"{self.end:.0f}"]

    def print_detail(self, out):
        print(f"{self.run}: seeds raced at {self.raced:.1f} s, end at {self.end:.1f} s", file=out)
        print(f"  all candidates: {by_kind(self.candidates)}", file=out)
        for row in self.rows.values():
            begun, decided = self.begun.get(row["id"], 0), self.decided.get(row["id"], self.end)
            own = sum(row["seconds"].values())
            seed = row["proposer"] == "seed"
            waited = "" if seed else f", waited {decided - begun - own:.1f}"
            print(f"  {row['id']:>3} {begun:6.1f}..{decided:6.1f} {reason_of(row):<13}"
                  f" {by_kind([row])}{waited} | {row['strategy'][:40]}", file=out)
            if seed:
                print(f"      slowest cases: {slowest(row)}", file=out)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--runs", default=USUAL)
    parser.add_argument("--minutes", type=float, default=2)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cuda")
    parser.add_argument("--detail", action="store_true")
    parser.add_argument("--torch", default="2.11.0", help="its version, for the record")
    evolve_run.add_unsafe(parser)
    arguments = parser.parse_args()
    rkb = arguments.build / "bin" / "rkb"
    figures = Figures(arguments.out)
    figures.record(machine(arguments.torch))
    rows = []
    for run in arguments.runs.split(","):
        entry, seed_kernel = run.split(":")
        archive = arguments.out.resolve() / f"{entry}.{seed_kernel}.{arguments.device}"
        if not evolve_run.ended_run(archive):
            evolve_run.evolve(rkb, entry, archive, [f"minutes={arguments.minutes}"], seed_kernel,
                              arguments.device, options=evolve_run.unsafe(arguments))
        timeline = Timeline(rkb, archive)
        cells = [entry, seed_kernel, f"{arguments.minutes:g}", *timeline.row()]
        print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)
        rows.append([str(cell) for cell in cells])
        if arguments.detail:
            timeline.print_detail(sys.stdout)
            empty = timeline.summary.get("empty_us")
            if empty:
                print(f"  empty kernel, us: {json.dumps(empty)}")
    figures.record_table("runs", COLUMNS, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
