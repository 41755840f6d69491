#!/usr/bin/env python3
"""Imports the public tasks of robust-kbench and the problems of KernelBench, and counts.

  imports.py ROBUST_KBENCH_TASKS KERNELBENCH [--out DIR] [--python PYTHON] [--shrink]

The first is the directory `tasks` of a checkout, the second the directory that holds level1 to
level3. Nothing is fetched. PYTHON has torch (importer/install.py makes one).
"""

import argparse
import collections
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[1]


def imported(options, sources, out):
    """The answers of one process of the importer."""
    command = [options.python, "-m", "importer", *map(str, sources), "--out", str(out)]
    command += ["--shrink"] if options.shrink else []
    surroundings = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1"}
    answers = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=surroundings) as process:
        for line in process.stdout:
            answers.append(json.loads(line))
            print(line, end="", file=sys.stderr, flush=True)
    if process.returncode != 0:
        print(f"the importer ended with {process.returncode} after {len(answers)} sources")
    return answers


def told(name, answers):
    """Prints a table of one corpus."""
    packages = [a for a in answers if "package" in a]
    seconds = [a["seconds"] for a in answers]
    print(f"\n## {name}\n\n{len(packages)} of {len(answers)} import, median "
          f"{statistics.median(seconds):.1f} s, longest {max(seconds):.1f} s\n")
    reasons = collections.defaultdict(list)
    for answer in answers:
        if "refused" in answer:
            reason = re.sub(r"\d+(\.\d+)?", "N", answer["refused"]["reason"])
            reasons[reason].append("/".join(pathlib.Path(answer["source"]).parts[-2:]))
    print("| count | reason | sources |\n|---|---|---|")
    for reason, sources in sorted(reasons.items(), key=lambda item: -len(item[1])):
        print(f"| {len(sources)} | {reason} | {', '.join(sources)} |")
    shrunk = sum(any("Shrunk" in note for note in a["notes"]) for a in packages)
    contents = [json.loads(pathlib.Path(a["package"]).read_text()) for a in packages]
    few = sum(len(c["drawn"]["forward"]) < 3 for c in contents)
    unmeasured = sum(all("float32_error" not in p for p in c["points"]) for c in contents)
    probes = collections.Counter(p["probe"] for c in contents for p in c["domain"]["inapplicable"])
    print(f"\nShrunk: {shrunk}. With fewer than three drawn configs: {few}. "
          f"Without a measured point: {unmeasured}. Largest package: "
          f"{max(pathlib.Path(a['package']).stat().st_size for a in packages) / 2**20:.1f} MiB.")
    print("Probes left out: " + ", ".join(f"{p} {n}" for p, n in probes.most_common()) + ".")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("robust_kbench", type=pathlib.Path)
    parser.add_argument("kernelbench", type=pathlib.Path)
    parser.add_argument("--out", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--shrink", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        out = options.out or pathlib.Path(directory)
        levels = [options.kernelbench / f"level{n}" for n in (1, 2, 3)]
        for name, sources in (("robust-kbench", [options.robust_kbench]), ("KernelBench", levels)):
            told(name, imported(options, sources, out / name))


if __name__ == "__main__":
    main()
