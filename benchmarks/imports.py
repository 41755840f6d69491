#!/usr/bin/env python3
"""Imports the public tasks of robust-kbench and the problems of KernelBench, and counts.

  imports.py --out DIR [--robust-kbench TASKS] [--kernelbench LEVELS] [--rkb RKB] [--only REGEX]
        [--shrink]

TASKS is the directory `tasks` of a checkout, LEVELS the directory that holds level1 to level3.
Nothing is fetched. The files are executed, in the sandbox of `rkb import`. Existing results in DIR
are kept, so a run continues where the last one ended. DIR/run.json is for docs/runs/imports.json.
"""

import argparse
import collections
import json
import pathlib
import re
import statistics
import subprocess
import sys

from figures import ROOT, Figures, machine, torch_version

COLUMNS = ["corpus", "sources", "imported", "torch passes all judged cases", "shrunk",
           "median, s", "longest, s"]
OF_THE_BUILD = "of its own"  # in the refusal of a name that a task of the build has


def rkb_import(options, sources, out, told, *further):
    """The answers of `rkb import` for the sources, as a list. They are kept in the file `told` of
    `out`."""
    answers = out / told
    out.mkdir(parents=True, exist_ok=True)
    command = [options.rkb, "import", *sources, "--out", out, "--json", answers, *further]
    command += ["--shrink"] if options.shrink else []
    done = subprocess.run(list(map(str, command)), stdout=subprocess.DEVNULL, check=False)
    if done.returncode not in (0, 1):
        sys.exit(f"rkb import ended with {done.returncode}")
    return json.loads(answers.read_text())["sources"]


def imported(options, sources, out):
    """The answers for all sources below these. Tasks whose names the build has are renamed."""
    if options.only:
        sources = [path for source in sources for path in sorted(source.rglob("*"))
                   if re.search(options.only, str(path.relative_to(source)))]
    answers = rkb_import(options, sources, out, "import.json")
    for i, answer in enumerate(answers):
        if OF_THE_BUILD in answer.get("reason", ""):
            name = f"public_{answer['name']}"
            answers[i] = rkb_import(options, [answer["source"]], out, f"{name}.json", "--name",
                                    name)[0]
    return answers


def listed(counts):
    """A row for each counted item, the most frequent first."""
    return [[len(sources), thing, ", ".join(sources)]
            for thing, sources in sorted(counts.items(), key=lambda item: -len(item[1]))]


def short(answer):
    """The folder and the name of a source; of KernelBench's files the number stands for the name."""
    folder, name = pathlib.Path(answer["source"]).parts[-2:]
    numbered = re.match(r"(\d+)_.*\.py$", name)
    return f"{folder}/{numbered[1] if numbered else name}"


def told_of_torch(packages):
    """Counts what the limits of all tasks tell apart, from the import's facts about each direction.

    Returns the number of tasks whose limits torch's own result passes, and a row for each oddity.
    """
    judged = {short(a): a["precision"] for a in packages
              if a["precision"] and all(c["cases"] for c in a["precision"].values())}
    passing = [name for name, claims in judged.items()
               if all(c["passes"] for c in claims.values())]
    left_out = sum(any(c["left_out"] for c in claims.values()) for claims in judged.values())
    print(f"\nTorch's own result passes all cases of {len(passing)} of {len(packages)}. Of {left_out} "
          f"some cases are too slow, and of {len(packages) - len(judged)} all in one direction.\n")
    odd = collections.defaultdict(list)
    for name, claims in judged.items():
        for direction, c in claims.items():
            which = f"{name} {direction}" if len(claims) > 1 else name
            if not c["passes"]:
                odd[f"torch fails: {c['reason']}"].append(which)
            for result in c["accepted"]["arithmetic"] + c["accepted"]["constants"]:
                odd[f"accepted: {result}"].append(which)
    return len(passing), listed(odd)


def told(name, answers):
    """Prints the findings for one corpus.

    Returns its row of totals, the rows of refusals, and the rows of what limits do not tell apart.
    """
    packages = [a for a in answers if "package" in a]
    seconds = [a["seconds"] for a in answers if a["state"] != "unchanged"] or [0.0]
    print(f"\n{name}:")
    reasons = collections.defaultdict(list)
    for answer in answers:
        if "reason" in answer:
            reasons[re.sub(r"\d+(\.\d+)?", "N", answer["reason"])].append(short(answer))
    shrunk = sum(any("Shrunk" in note for note in a["notes"]) for a in packages)
    contents = [json.loads(pathlib.Path(a["package"]).read_text()) for a in packages]
    few = sum(len(c["drawn"]["forward"]) < 3 for c in contents)
    probes = collections.Counter(p["probe"] for c in contents for p in c["domain"]["inapplicable"])
    print(f"\nShrunk: {shrunk}. With fewer than three drawn configs: {few}. Largest package: "
          f"{max(pathlib.Path(a['package']).stat().st_size for a in packages) / 2**20:.1f} MiB.")
    print("Probes left out: " + ", ".join(f"{p} {n}" for p, n in probes.most_common()) + ".")
    passing, odd = told_of_torch(packages)
    row = [name, len(answers), len(packages), passing, shrunk, statistics.median(seconds),
           max(seconds)]
    return row, listed(reasons), odd


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--robust-kbench", type=pathlib.Path)
    parser.add_argument("--kernelbench", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--rkb", type=pathlib.Path, default=ROOT / "build/robust/bin/rkb")
    parser.add_argument("--only", default="", help="paths below the sources that this matches")
    parser.add_argument("--shrink", action="store_true")
    options = parser.parse_args()
    figures = Figures(options.out)
    corpora = []
    if options.robust_kbench:
        corpora.append(("robust-kbench", [options.robust_kbench]))
    if options.kernelbench:
        corpora += [(f"KernelBench, level {n}", [options.kernelbench / f"level{n}"])
                    for n in (1, 2, 3)]
    rows, refused, odd = zip(*(told(name, imported(options, sources, figures.out / name))
                               for name, sources in corpora))
    figures.record(machine(torch_version(options.rkb)))
    figures.record_table("corpora", COLUMNS, rows)
    figures.record_table("refused", ["sources", "reason", "which"], sum(refused, []))
    figures.record_table("limits", ["tasks", "what", "which"], sum(odd, []))
    print((figures.out / "figures.md").read_text())


if __name__ == "__main__":
    main()
