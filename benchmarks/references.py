#!/usr/bin/env python3
"""Compares the float64 references of robust-kbench's own tasks, imported, with the build's.

  benchmarks/references.py --published ROBUST_KBENCH/tasks --python PYTHON --out DIRECTORY

PYTHON has torch (importer/install.py makes one). The build has rkb_references. Packages in
DIRECTORY from an earlier run are imported anew.
"""

import argparse
import os
import pathlib
import subprocess

from figures import ROOT, Figures, machine

COLUMNS = ["entry", "configs", "equal outputs", "largest difference"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--published", type=pathlib.Path, required=True)
    parser.add_argument("--python", required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "robust")
    arguments = parser.parse_args()
    figures = Figures(arguments.out)
    tasks = sorted(path.parent.name for path in ROOT.glob("tasks/*/task.cpp"))
    packages = figures.out / "packages"
    os.environ["PYTHONPATH"] = str(ROOT)
    figures.run("import", arguments.python, "-m", "importer",
                *(arguments.published / task for task in tasks), "--out", packages)
    figures.run("references", arguments.build / "bin" / "rkb_references",
                *(packages / f"{task}.task.json" for task in tasks))
    printed = (figures.out / "references.log").read_text().splitlines()[2:]
    rows = [[cell.strip() for cell in line.strip("|").split("|")][:len(COLUMNS)] for line in printed]
    version = subprocess.run([arguments.python, "-c", "import torch; print(torch.__version__)"],
                             capture_output=True, text=True, check=True).stdout.strip()
    figures.record(machine(version))
    figures.record_table("entries", COLUMNS, rows)


if __name__ == "__main__":
    main()
