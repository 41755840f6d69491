#!/usr/bin/env python3
"""Compares `rkb filter` with robust-kbench's own filters and the paper's compromised tasks.

  benchmarks/filters.py --published robust-kbench --out figures [--paper paper.tex] [--only REGEX]
        [--device cuda] [--jobs 8]

`--published` is a checkout of SakanaAI/robust-kbench with its 200 KernelBench folders. Each is
imported once by `rkb import`, which executes the folders' files in a sandbox. Then it is filtered
on its `single` config, as theirs was. Existing results in `--out` are kept, so a run continues
where the last one ended. Writes the agreement of each column, and each disagreement with the
numbers of both sides. run.json there is for docs/runs/filters.json.
"""

import argparse
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys

from figures import ROOT, Figures, machine, torch_version

LEVELS = ("level_1", "level_2")
# Ours: the keys of filter_results.json.
COLUMNS = {
    "output_range": "filter_output_range",
    "output_std": "filter_output_std",
    "output_axes": "filter_output_axes",
    "input_impact": "filter_input_impact",
    "baseline": "filter_llm_inefficiency",
}
MODEL_COLUMNS = ("filter_llm_redundancy", "filter_llm_inefficiency")
STATISTICS = ("output_range", "output_std", "output_axes", "input_impact")
PAPER_ROW = re.compile(r"^([12]) & (\d+) & (.+?)((?: & (?:True|False)){5}) \\\\$", re.MULTILINE)


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--published", type=pathlib.Path, required=True)
    parser.add_argument("--paper", type=pathlib.Path, help="its LaTeX source, with the two tables")
    parser.add_argument("--only", default="", help="folders whose level_N/task_M this matches")
    parser.add_argument("--rkb", type=pathlib.Path, default=ROOT / "build/robust/bin/rkb")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--seconds", type=int, default=120, help="that one task may take")
    parser.add_argument("--jobs", type=int, default=1, help="tasks at a time")
    return parser.parse_args()


def import_folders(folders, options):
    """Makes packages of folders, each of which becomes OUT/level_N/task_M.task.json."""
    for level in LEVELS:
        out = options.out / level
        missing = [
            folder
            for folder in folders
            if folder.parent.name == level and not (out / f"{folder.name}.task.json").exists()
        ]
        if missing:
            subprocess.run([options.rkb, "import", *missing, "--out", out, "--shrink"], check=False)


def filtered(package, options):
    """The answer of `rkb filter` for a package, or an error."""
    stored = package.with_suffix(".filters.json")
    if stored.exists():
        return json.loads(stored.read_text())
    command = [options.rkb, "filter", package, "--device", options.device]
    command += ["--configs", "single", "--json", stored]
    try:
        done = subprocess.run(
            list(map(str, command)), capture_output=True, text=True, timeout=options.seconds
        )
        if done.returncode in (0, 1):
            return json.loads(stored.read_text())
        error = done.stderr.strip().splitlines()
        answer = {"error": error[-1] if error else f"exit code {done.returncode}"}
    except subprocess.TimeoutExpired:
        answer = {"error": f"more than {options.seconds} s"}
    stored.write_text(json.dumps(answer))
    return answer


def forward_results(answer):
    """The results of the forward by filter."""
    return {
        result["filter"]: result
        for result in answer["tasks"][0]["filters"]
        if result["direction"] == "forward"
    }


def paper_rows(path):
    """The rows of the paper's tables by level and number. Tasks that they omit have no True."""
    if not path:
        return None
    rows = {}
    for level, number, _, flags in PAPER_ROW.findall(path.read_text()):
        values = [flag == "True" for flag in re.findall("True|False", flags)]
        rows[f"level_{level}/task_{number}"] = dict(zip((*STATISTICS, "baseline"), values))
    return rows


def shown(result):
    value = result["value"]
    text = result["status"] + ("" if value is None else f" at {value:.3g}")
    return f"{text} ({result['reason']})" if result["reason"] else text


class Comparison:
    """Our verdicts beside others', in one column of theirs."""

    def __init__(self, column, whose):
        self.column, self.whose = column, whose
        self.counts = {(ours, theirs): 0 for ours in (True, False) for theirs in (True, False)}
        self.disagreements = []

    def add(self, task, result, theirs):
        if result["status"] == "skipped":
            return
        ours = result["status"] == "caught"
        self.counts[ours, theirs] += 1
        if ours != theirs:
            flag = "caught" if theirs else "passes"
            self.disagreements.append([self.column, task, shown(result), f"{flag} by {self.whose}"])

    def row(self):
        agree = self.counts[True, True] + self.counts[False, False]
        return [self.column, self.whose, f"{agree} of {sum(self.counts.values())}",
                self.counts[True, True], self.counts[True, False], self.counts[False, True]]


def compare(folders, answers, paper):
    comparisons = []
    for column, key in COLUMNS.items():
        sides = [("filter_results.json", lambda task, flags, key=key: flags[key])]
        if column == "baseline":
            sides[0] = ("either flag of the model", lambda task, flags: any(flags[k] for k in MODEL_COLUMNS))
        if paper is not None:
            sides.append(("the paper", lambda task, _, column=column: paper.get(task, {}).get(column, False)))
        for whose, of_task in sides:
            comparison = Comparison(column, whose)
            for folder in folders:
                task = f"{folder.parent.name}/{folder.name}"
                if task not in answers:
                    continue
                flags = json.loads((folder / "filter_results.json").read_text())
                comparison.add(task, answers[task][column], of_task(task, flags))
            comparisons.append(comparison)
    return comparisons


def missed_by_statistics(answers):
    """Tasks that further filters catch, though the paper's numeric filters do not."""
    for task, results in answers.items():
        if any(results[name]["status"] == "caught" for name in STATISTICS):
            continue
        for name in ("null_kernels", "precision", "tolerance", "weight_impact"):
            if results[name]["status"] == "caught":
                yield [name, task, shown(results[name])]


def write_figures(options, folders, answers, errors):
    comparisons = compare(folders, answers, paper_rows(options.paper))
    figures = Figures(options.out)
    further = sorted(missed_by_statistics(answers))
    facts = {name: len({task for found, task, _ in further if found == name})
             for name in ("null_kernels", "precision", "tolerance", "weight_impact")}
    figures.record(machine(torch_version(options.rkb)), tasks=len(folders), filtered=len(answers),
                   caught=sum(any(r["status"] == "caught" for r in results.values())
                              for results in answers.values()),
                   **{f"further_{name}": count for name, count in facts.items()})
    figures.record_table("agreement", ["column", "beside", "agree", "both catch", "only ours",
                                       "only theirs"], [c.row() for c in comparisons])
    figures.record_table("disagreements", ["column", "task", "ours", "theirs"],
                         [row for c in comparisons for row in c.disagreements])
    figures.record_table("further", ["filter", "task", "what it finds"], further)
    figures.record_table("not_filtered", ["task", "reason"], [list(e) for e in errors.items()])
    print((figures.out / "figures.md").read_text())


def task_number(folder):
    return folder.parent.name, int(folder.name.removeprefix("task_"))


def main():
    options = parse_arguments()
    root = options.published.resolve() / "tasks/kernelbench"
    folders = [f for level in LEVELS for f in (root / level).glob("task_*") if (f / "filter_results.json").exists()]
    folders = sorted((f for f in folders if re.search(options.only, f"{f.parent.name}/{f.name}")), key=task_number)
    if not folders:
        sys.exit(f"{root} has no folder with a filter_results.json that --only matches")
    import_folders(folders, options)
    packages = [options.out / f.parent.name / f"{f.name}.task.json" for f in folders]
    imported = [package for package in packages if package.exists()]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as jobs:
        found = dict(zip(imported, jobs.map(lambda package: filtered(package, options), imported)))
    answers, errors = {}, {}
    for folder, package in zip(folders, packages):
        task = f"{folder.parent.name}/{folder.name}"
        answer = found.get(package, {"error": "not imported"})
        if "error" in answer:
            errors[task] = answer["error"]
        else:
            answers[task] = forward_results(answer)
    write_figures(options, folders, answers, errors)


if __name__ == "__main__":
    main()
