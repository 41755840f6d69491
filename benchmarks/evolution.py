#!/usr/bin/env python3
"""Evolves kernels of this build from their plain ones, and prints the tables of docs/results.md.

  benchmarks/evolution.py --out evolved [--entries layernorm.forward,...] [--seeds 1,2,3]
                          [--minutes 3] [--device cpu] [--kernels tests/honest/styles]

With --kernels it begins with DIRECTORY/<task>/<direction>/<name>.cpp instead, and prints which
rules and tunables gained, as docs/transforms.md has it.

Runs that have ended are not repeated, so a second call goes on where the first one was cut off.
The share of an entry is log(plain / winner) / log(plain / shipped). Times are geometric means over
the configs where the plain kernel takes at least 10 us. The share is given where the shipped kernel
is at least 1.5 times as fast as the plain one.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent
MIN_US = 10.0
MIN_GAIN = 1.5


def entries_of(rkb):
    listed = json.loads(subprocess.run([rkb, "list", "--json"], check=True, capture_output=True,
                                       text=True).stdout)
    return sorted({f"{k['task']}.{k['direction']}" for k in listed["kernels"]})


def ended_runs(archive):
    """The summary of each run that has ended, by (entry, seed, device)."""
    runs = {}
    events = archive / "events.jsonl"
    seeds = {}
    for line in events.read_text().splitlines() if events.exists() else []:
        event = json.loads(line)
        if event["event"] == "run_started":
            seeds[event["run"]] = event["seed"]
        if event["event"] == "run_changed" and event["state"] == "ended":
            entry = ".".join(event["run"].split(".")[:2])
            device = event["run"].split(".")[2]
            runs[entry, seeds[event["run"]], device] = event
    return runs


def rules_to_winner(archive, run, winner):
    """The rules and tunables that a run accepted, in their order, up to its winner."""
    rules = []
    for line in (archive / "events.jsonl").read_text().splitlines():
        event = json.loads(line)
        if event["run"] != run or event["event"] != "accepted" or winner == 0:
            continue
        rules.append(event["strategy"].split(":")[0])
        if event["id"] == winner:
            break
    return rules


def kernels_of(directory):
    """The source of each entry below a directory <task>/<direction>/<name>.cpp."""
    return {".".join(path.relative_to(directory).parts[:2]): path
            for path in sorted(directory.glob("*/*ward/*.cpp"))}


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def row_of(event):
    """(speed-up over plain, over shipped, over eager, share or None) of an ended run."""
    summary = event["summary"]
    times = summary.get("times_us")
    if not times:
        return None
    configs = [t for t in times.values() if t["parent"] >= MIN_US] or list(times.values())
    ratio = lambda name: geometric_mean([t[name] / t["kernel"] for t in configs if name in t])
    over_plain, over_shipped = ratio("parent"), ratio("registered")
    gain = over_plain / over_shipped
    share = math.log(over_plain) / math.log(gain) if gain >= MIN_GAIN else None
    return over_plain, over_shipped, ratio("eager"), share


def print_rules(arguments, kernels):
    """A row for each kernel: what was accepted, and the speed-up over the kernel itself."""
    print("| kernel | accepted | candidates | over itself | over eager |\n|---|---|---|---|---|")
    gains = []
    for (entry, seed, device), event in sorted(ended_runs(arguments.out).items()):
        if entry not in kernels or device != arguments.device:
            continue
        row = row_of(event)
        rules = rules_to_winner(arguments.out, event["run"], event["winner"])
        gain, _, over_eager, _ = row or (1.0, None, None, None)
        gains.append(gain)
        eager = "-" if over_eager is None else f"{over_eager:.2f}"
        print(f"| {entry} {kernels[entry].stem} | {', then '.join(rules) or 'nothing'} | "
              f"{event['summary']['candidates']} | {gain:.2f} | {eager} |")
    if gains:
        print(f"\nMedian over {len(gains)} kernels: {statistics.median(gains):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build" / "robust")
    parser.add_argument("--entries", default="")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--kernels", type=pathlib.Path)
    arguments = parser.parse_args()
    rkb = arguments.build / "bin" / "rkb"
    kernels = kernels_of(arguments.kernels) if arguments.kernels else {}
    entries = arguments.entries.split(",") if arguments.entries else list(kernels)
    entries = entries or entries_of(rkb)
    for seed in [int(seed) for seed in arguments.seeds.split(",")]:
        for entry in entries:
            if (entry, seed, arguments.device) in ended_runs(arguments.out):
                continue
            task, direction = entry.split(".")
            subprocess.run(
                [rkb, "evolve", "--task", task, "--direction", direction, "--seed-kernel",
                 kernels.get(entry, "plain"),
                 "--device", arguments.device, "--archive", arguments.out, "--set", f"seed={seed}",
                 "--set", f"minutes={arguments.minutes}"], check=False)
    if kernels:
        print_rules(arguments, kernels)
        return 0
    print("| entry | seed | candidates | winner over plain | over shipped | over eager | share | "
          "ended by |\n|---|---|---|---|---|---|---|---|")
    shares = []
    for (entry, seed, device), event in sorted(ended_runs(arguments.out).items()):
        if device != arguments.device:
            continue
        row = row_of(event)
        candidates = event["summary"]["candidates"]
        if row is None:
            print(f"| {entry} | {seed} | {candidates} | nothing was better | | | | "
                  f"{event['stop_reason']} |")
            continue
        over_plain, over_shipped, over_eager, share = row
        if share is not None:
            shares.append(share)
        text = "-" if share is None else f"{share:.2f}"
        print(f"| {entry} | {seed} | {candidates} | {over_plain:.2f} | {over_shipped:.2f} | "
              f"{over_eager:.2f} | {text} | {event['stop_reason']} |")
    if shares:
        print(f"\nMedian share of {len(shares)} runs: {statistics.median(shares):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
