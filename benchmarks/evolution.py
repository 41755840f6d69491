#!/usr/bin/env python3
"""Evolves kernels of this build from their plain ones, and prints the tables of docs/evolution.md.

  benchmarks/evolution.py --out evolved [--entries layernorm.forward,...] [--seeds 1,2,3]
                          [--minutes 3] [--device cpu] [--kernels tests/honest/styles]
                          [--jobs 1] [--cpus 2]

With --kernels it begins with DIRECTORY/<task>/<direction>/<name>.cpp instead. It then prints which
rules and tunables gained, for docs/transforms.md.

Runs that have ended are not repeated, so a second call continues after an interruption. With more
than one job, each has CPUs of its own. The share of an entry is log(plain / winner) / log(plain /
shipped). Times are geometric means over the configs where the plain kernel takes at least 10 us.
The share is given where the shipped kernel is at least 1.5 times as fast as the plain one. It is 0
if nothing was better than the plain kernel.
"""

import argparse
import json
import math
import pathlib
import statistics
import subprocess
import sys

import evolve_run
import side_by_side

MIN_US = 10.0
MIN_GAIN = 1.5


def entries_of(rkb):
    listed = json.loads(subprocess.run([rkb, "list", "--json", "-"], check=True, capture_output=True,
                                       text=True).stdout)
    return sorted({f"{k['task']}.{k['direction']}" for k in listed["kernels"]})


def archive_of(out, entry, seed, device):
    return out / f"{entry}.{seed}.{device}"


def accepted_strategies(archive):
    """The strategies of the run's accepted proposals, in its order, without the edited places."""
    return [event["strategy"].split(":")[0] for event in evolve_run.events_of(archive)
            if event["event"] == "accepted"]


def kernels_of(directory):
    """The source of each entry below a directory <task>/<direction>/<name>.cpp."""
    return {".".join(path.relative_to(directory).parts[:2]): path
            for path in sorted(directory.glob("*/*ward/*.cpp"))}


def geometric_mean(values):
    return math.exp(statistics.fmean(math.log(value) for value in values))


def row_of(summary):
    """(speed-up over the first parent, over shipped, over eager, share or None) of a run."""
    times = summary.get("times_us")
    if times:
        configs = [{**t, "winner": t["kernel"], "begin": t["parent"]} for t in times.values()]
    else:
        begin = next(name for name, cost in summary["seeds"].items() if cost == 1)
        registered = set(summary["seeds"]) - {"plain", begin}
        configs = [{**t, "winner": t[begin], "begin": t[begin],
                    "registered": min(t[name] for name in registered)}
                   for t in summary["seed_times_us"].values()]
    configs = [t for t in configs if t["begin"] >= MIN_US] or configs

    def speedup(name):
        return geometric_mean([t[name] / t["winner"] for t in configs])

    over_begin, over_shipped = speedup("begin"), speedup("registered")
    gain = over_begin / over_shipped
    share = math.log(over_begin) / math.log(gain) if gain >= MIN_GAIN else None
    return over_begin, over_shipped, speedup("eager"), share


def evolve(arguments, kernels, entry, seed, pin):
    archive = archive_of(arguments.out, entry, seed, arguments.device)
    if not evolve_run.ended_run(archive):
        evolve_run.evolve(arguments.build / "bin" / "rkb", entry, archive,
                          [f"seed={seed}", f"minutes={arguments.minutes}"],
                          seed_kernel=kernels.get(entry, "plain"), device=arguments.device, pin=pin)


def print_table(arguments, runs):
    print("| entry | seed | candidates | winner over plain | over shipped | over eager | share | "
          "ended by |\n|---|---|---|---|---|---|---|---|")
    shares = []
    for entry, seed in sorted(runs):
        event = evolve_run.ended_run(archive_of(arguments.out, entry, seed, arguments.device))
        if not event:
            print(f"| {entry} | {seed} | did not end | | | | | |")
            continue
        over_plain, over_shipped, over_eager, share = row_of(event["summary"])
        if share is not None:
            shares.append(share)
        text = "-" if share is None else f"{share:.2f}"
        print(f"| {entry} | {seed} | {event['summary']['candidates']} | {over_plain:.2f} | "
              f"{over_shipped:.2f} | {over_eager:.2f} | {text} | {event['stop_reason']} |")
    if shares:
        print(f"\nMedian share of {len(shares)} runs: {statistics.median(shares):.2f}")


def print_rules(arguments, kernels, runs):
    """Prints a row for each kernel: the accepted strategies, and the speed-up over the kernel
    itself."""
    print("| kernel | accepted | candidates | over itself | over eager |\n|---|---|---|---|---|")
    gains = []
    for entry, seed in sorted(runs):
        archive = archive_of(arguments.out, entry, seed, arguments.device)
        event = evolve_run.ended_run(archive)
        if not event:
            print(f"| {entry} {kernels[entry].stem} | did not end | | | |")
            continue
        gain, _, over_eager, _ = row_of(event["summary"])
        gains.append(gain)
        accepted = ", then ".join(accepted_strategies(archive)) or "nothing"
        print(f"| {entry} {kernels[entry].stem} | {accepted} | {event['summary']['candidates']} | "
              f"{gain:.2f} | {over_eager:.2f} |")
    if gains:
        print(f"\nMedian over {len(gains)} kernels: {statistics.median(gains):.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--entries", default="")
    parser.add_argument("--seeds", default="1")
    parser.add_argument("--minutes", type=float, default=3)
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--kernels", type=pathlib.Path)
    side_by_side.add_options(parser)
    arguments = parser.parse_args()
    kernels = kernels_of(arguments.kernels) if arguments.kernels else {}
    entries = arguments.entries.split(",") if arguments.entries else list(kernels)
    entries = entries or entries_of(arguments.build / "bin" / "rkb")
    runs = [(entry, int(seed)) for seed in arguments.seeds.split(",") for entry in entries]
    side_by_side.side_by_side(
        arguments, lambda run, pin: evolve(arguments, kernels, *run, pin), runs)
    if kernels:
        print_rules(arguments, kernels, runs)
    else:
        print_table(arguments, runs)
    return 0


if __name__ == "__main__":
    sys.exit(main())
