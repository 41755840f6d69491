#!/usr/bin/env python3
"""Compares ways to look for faster kernels, at an equal number of evaluations or an equal time.

  benchmarks/arms.py --out DIRECTORY [--arms evolution,tune,transform,random]
                     [--evaluations 40] [--minutes 1] [--entries layernorm.forward,...]
                     [--seeds 1,2,3,4,5] [--device cpu] [--seed-kernel plain] [--command PROGRAM]
                     [--set key=value] [--max-usd 20] [--jobs 1] [--cpus 2]

Each run begins with the plain kernel of its entry, or with the kernel of --seed-kernel. Runs that
have ended are not repeated, so a second call continues after an interruption. It prints one table.
Beside the runs it writes best_so_far.csv, a row for each proposal, and errors.csv, a row for each
arm and class of reason.

A speed-up is the confirmed winner's over that kernel, or 1 if nothing was better. That of an entry
is the geometric mean over the seeds, and that of an arm over the entries, too. The 95 % interval is
Student's, of the logarithms of the seeds' speed-ups. --max-usd limits all payments ever made below
--out. A run with models does not begin once the limit is spent.

An arm of best-of-n begins as many proposals as it may evaluate, and replaces each that is never
tested, so evaluations are equal. A replacement begins with the fastest kernel at that time.
"""

import argparse
import collections
import csv
import dataclasses
import json
import math
import pathlib
import statistics
import sys

import evolve_run
import side_by_side

ENTRIES = "layernorm.forward,mnist_linear.forward,mnist_cross_entropy.backward"
ONE_MODEL = ["openai/gpt-4.1"]
TWO_MODELS = [*ONE_MODEL, "anthropic/claude-3-7-sonnet-20250219"]
# All proposals fit into one generation, the largest that the settings allow, and max_evaluations
# ends it.
BEST_OF_N = ["population=1000", "side_by_side={n}"]
ARMS = {
    "evolution": ["proposers=transform,tune"],
    "tune": ["proposers=tune"],
    "transform": ["proposers=transform"],
    # A search draws a tenth of its budget at random before it uses any result.
    "random": ["proposers=tune", "tune_budget=10000"],
    # A program answers, from the same kernel each time or from the best so far.
    "best_of_n": ["proposers=command", *BEST_OF_N],
    "refinement": ["proposers=command", "population=1", "side_by_side=1"],
}
# Language models answer, by the paper's settings except these.
MODEL_ARMS = {
    "llm": [],
    "llm_best_of_n": [*BEST_OF_N, "votes=off"],
    "llm_refinement": ["population=1", "side_by_side=1", "context=best", "repairs=1", "votes=off"],
    "llm_no_votes": ["votes=off"],
    "llm_shapes": ["show_shapes=true"],
    "llm_no_profile": ["profile_summary=off"],
    "llm_one_model": ["models=" + json.dumps(ONE_MODEL)],
    "llm_two_models": ["models=" + json.dumps(TWO_MODELS)],
    "llm_context_best": ["context=best"],
    "llm_context_random": ["context=random", "context_size=10"],
}
ALL_ARMS = {**ARMS, **MODEL_ARMS}
# Quantiles of Student's distribution for a 95 % interval, by degrees of freedom.
STUDENT = {1: 12.706, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306,
           9: 2.262, 10: 2.228, 11: 2.201, 12: 2.179, 13: 2.160, 14: 2.145, 15: 2.131, 16: 2.120,
           17: 2.110, 18: 2.101, 19: 2.093, 20: 2.086}
NORMAL = 1.96  # with more degrees of freedom


@dataclasses.dataclass
class Outcome:
    """The result of one run."""

    speedup: float
    evaluations: int
    seconds: float
    micro_usd: int  # 0: no model was asked; -1: a part has no price
    best: list  # the best speed-up in search after each proposal
    errors: collections.Counter  # refused proposals by class


def settings_of(arguments, arm, seed):
    """The settings of a run. Only its limits end it."""
    settings = [f"seed={seed}", f"minutes={arguments.minutes}", "max_generations=0",
                f"max_evaluations={arguments.evaluations}", "plateau=1000000"]
    if arm in MODEL_ARMS:
        settings.append("translate=false")
    settings += [setting.format(n=arguments.evaluations) for setting in ALL_ARMS[arm]]
    if "proposers=command" in settings:
        settings.append(f"command={json.dumps(arguments.command)}")
    return [*settings, *arguments.set]


def preset_of(arm):
    return ["--preset", "paper"] if arm in MODEL_ARMS else []


def archive_of(arguments, arm, entry, seed):
    return arguments.out / arm / f"{entry}.{seed}.{arguments.device}"


def spent_micro_usd(rows):
    charges = [row["charged_micro_usd"] for row in rows if row["type"] == "call"]
    return -1 if None in charges else sum(charges)


def outcome_of(event, rows):
    """Reads the last event of a run that has ended, and the lines of its export."""
    proposals = [row for row in rows if row["type"] == "proposal" and row["proposer"] != "seed"]
    reached = {}  # speed-up over the first parent in search, by proposal
    best, top = [], 1.0
    for row in sorted(proposals, key=lambda row: row["id"]):
        if row["outcome"] in ("accepted", "specialised") and row["speedup"]:
            reached[row["id"]] = reached.get(row["parents"][0], 1.0) * row["speedup"]
            top = max(top, reached[row["id"]])
        best.append(top)
    summary = event["summary"]
    confirmed = summary["confirmed"]["parent"]["ratio"] if event["winner"] else 1.0
    return Outcome(confirmed, summary["candidates"], summary["seconds"], spent_micro_usd(rows),
                   best, collections.Counter(row["reason_class"] for row in proposals
                                             if row["outcome"] == "refused"))


def interval(values):
    """The geometric mean with its 95 % interval, which is unknown for a single value."""
    logs = [math.log(value) for value in values]
    mean = statistics.fmean(logs)
    if len(logs) < 2:
        return math.exp(mean), None, None
    half = (STUDENT.get(len(logs) - 1, NORMAL) * statistics.stdev(logs) / math.sqrt(len(logs)))
    return math.exp(mean), math.exp(mean - half), math.exp(mean + half)


def with_interval(values):
    mean, low, high = interval(values)
    return f"{mean:.2f}" if low is None else f"{mean:.2f} ({low:.2f}..{high:.2f})"


def dollars(outcomes):
    if any(outcome.micro_usd < 0 for outcome in outcomes):
        return "not known"
    return f"{sum(outcome.micro_usd for outcome in outcomes) / 1e6:.2f}"


def table_of(outcomes):
    """The lines of the table. `outcomes` is by arm, entry and seed."""
    lines = ["| arm | entry | runs | speed-up | evaluations | minutes | dollars |",
             "|---|---|---|---|---|---|---|"]

    def add(arm, entry, speedups, runs):
        lines.append(f"| {arm} | {entry} | {len(runs)} | {with_interval(speedups)} | "
                     f"{sum(run.evaluations for run in runs)} | "
                     f"{sum(run.seconds for run in runs) / 60:.1f} | {dollars(runs)} |")

    arms = list(dict.fromkeys(arm for arm, _, _ in outcomes))
    entries = list(dict.fromkeys(entry for _, entry, _ in outcomes))
    for arm in arms:
        of_arm = {key[1:]: outcome for key, outcome in outcomes.items() if key[0] == arm}
        for entry in entries:
            runs = [outcome for (of, _), outcome in of_arm.items() if of == entry]
            if runs:
                add(arm, entry, [run.speedup for run in runs], runs)
        # Only seeds with a result on each entry count, since the mean would otherwise be of other
        # entries.
        seeds = [seed for seed in dict.fromkeys(seed for _, seed in of_arm)
                 if all((entry, seed) in of_arm for entry in entries)]
        if seeds:
            means = [statistics.geometric_mean(of_arm[entry, seed].speedup for entry in entries)
                     for seed in seeds]
            add(arm, "all", means, [of_arm[entry, seed] for entry in entries for seed in seeds])
    return lines


def write_csv(file, header, rows):
    with open(file, "w", newline="", encoding="utf-8") as out:
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(header)
        writer.writerows(rows)


def write_files(directory, outcomes):
    write_csv(directory / "best_so_far.csv", ["arm", "entry", "seed", "proposal", "speedup"],
              [[*key, number, f"{speedup:.4f}"] for key, outcome in outcomes.items()
               for number, speedup in enumerate(outcome.best, 1)])
    errors, proposals = collections.defaultdict(collections.Counter), collections.Counter()
    for (arm, _, _), outcome in outcomes.items():
        errors[arm].update(outcome.errors)
        proposals[arm] += len(outcome.best)
    write_csv(directory / "errors.csv", ["arm", "class", "refused", "proposals"],
              [[arm, reason, count, proposals[arm]] for arm in errors
               for reason, count in sorted(errors[arm].items())])


def outcomes_of(arguments, runs):
    outcomes = {}
    for arm, entry, seed in runs:
        archive = archive_of(arguments, arm, entry, seed)
        event = evolve_run.ended_run(archive)
        if event:
            rows = evolve_run.exported(arguments.build / "bin" / "rkb", archive, event["run"])
            outcomes[arm, entry, seed] = outcome_of(event, rows)
    return outcomes


def evolve(arguments, run, pin):
    archive = archive_of(arguments, *run)
    if evolve_run.ended_run(archive):
        return
    options = preset_of(run[0])
    if arguments.max_usd and run[0] in MODEL_ARMS:
        left = evolve_run.usd_left(arguments.max_usd, arguments.out, archive)
        if left == 0:
            return
        options += ["--max-usd", f"{left:.6f}"]
    evolve_run.evolve(arguments.build / "bin" / "rkb", run[1], archive,
                      settings_of(arguments, run[0], run[2]),
                      seed_kernel=arguments.seed_kernel, device=arguments.device, pin=pin,
                      options=options)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0],
                                     epilog="Arms: " + ", ".join(ALL_ARMS))
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--arms", default="evolution,tune,transform,random")
    parser.add_argument("--entries", default=ENTRIES)
    parser.add_argument("--seeds", default="1,2,3,4,5")
    parser.add_argument("--evaluations", type=int, default=0, help="of each run; 0: no limit")
    parser.add_argument("--minutes", type=float, default=1, help="of each run")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--seed-kernel", default="plain", help="as that of `rkb evolve`")
    parser.add_argument("--command", nargs="+", default=[], help="of the arms that ask a program")
    parser.add_argument("--set", action="append", default=[], help="a further setting of each run")
    parser.add_argument("--max-usd", type=float, default=0, help="for language models")
    side_by_side.add_options(parser)
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    arms = arguments.arms.split(",")
    for arm in arms:
        if arm not in ALL_ARMS:
            parser.error(f"the arm '{arm}' is none of {', '.join(ALL_ARMS)}")
        if "{n}" in "".join(ALL_ARMS[arm]) and arguments.evaluations == 0:
            parser.error(f"the arm '{arm}' makes one generation; say how many are evaluated by "
                         "--evaluations")
        if "proposers=command" in ALL_ARMS[arm] and not arguments.command:
            parser.error(f"the arm '{arm}' asks a program; name it by --command")
    if arguments.max_usd and arguments.jobs > 1:
        parser.error("--max-usd is one cap for runs one after another; leave --jobs out")
    arguments.runs = [(arm, entry, int(seed)) for seed in arguments.seeds.split(",")
                      for entry in arguments.entries.split(",") for arm in arms]
    side_by_side.side_by_side(arguments, lambda run, pin: evolve(arguments, run, pin),
                              arguments.runs)
    outcomes = outcomes_of(arguments, arguments.runs)
    write_files(arguments.out, outcomes)
    print("\n".join(table_of(outcomes)))
    missing = len(arguments.runs) - len(outcomes)
    if missing:
        print(f"\n{missing} runs did not end; the same call goes on")
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
