#!/usr/bin/env python3
"""Measures how long commands of rkb take until their first line.

  benchmarks/first_lines.py --build build/robust --out DIRECTORY

Each command starts several times, and is ended after its first line. The fastest start counts, since
a machine that does something else makes others slower. Seconds of a CPU are those of the
process itself. DIRECTORY/run.json is for docs/runs/first_lines.json.
"""

import argparse
import os
import pathlib
import signal
import subprocess
import tempfile
import time

from figures import ROOT, Figures, machine, torch_version

STARTS = 15
RECORDS = ROOT / "tests/golden/records.json"
KERNEL = ROOT / "kernels/mnist_linear/forward/blocked.cpp"
COMMANDS = [
    "--help",
    "--version",
    "doctor",
    "list",
    "list mnist_linear",
    "test --task mnist_linear --direction forward",
    "bench --task mnist_linear --direction forward",
    f"evaluate --task mnist_linear {KERNEL}",
    "demo",
    f"report {RECORDS}",
    f"compare {RECORDS} {RECORDS}",
    "compile --quick " + str(KERNEL),
    f"import {ROOT / 'tests/field/modules'}",
    "filter mnist_linear",
    "evolve --task mnist_linear",
    "archive list",
    "help evolve",
]


def cpu_seconds(process):
    """Seconds of a CPU that all threads of a process have had."""
    spent = 0
    for thread in pathlib.Path(f"/proc/{process.pid}/task").iterdir():
        spent += int((thread / "schedstat").read_text().split()[0])
    return spent / 1e9


def first_line(rkb, words, environment):
    """Seconds of a clock and of a CPU until a command's first line."""
    start = time.monotonic()
    with subprocess.Popen([rkb, *words.split()], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=environment, start_new_session=True) as process:
        line = process.stdout.readline()
        seconds = time.monotonic() - start
        spent = cpu_seconds(process)
        os.killpg(process.pid, signal.SIGKILL)
    assert line.strip(), f"rkb {words} printed nothing"
    return seconds, spent


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    figures = Figures(arguments.out)
    rkb = arguments.build.resolve() / "bin/rkb"
    rows = []
    with tempfile.TemporaryDirectory() as archive:
        environment = {**os.environ, "ROBUST_KBENCH_ARCHIVE": archive, "RKB_CACHE": archive}
        for words in COMMANDS:
            starts = [first_line(rkb, words, environment) for _ in range(STARTS)]
            shown = " ".join(os.path.relpath(word, ROOT) if word.startswith("/") else word
                             for word in words.split())
            rows.append([f"`rkb {shown}`", *(round(min(of), 3) for of in zip(*starts))])
    figures.record(machine(torch_version(rkb)))
    figures.record_table("commands", ["command", "seconds", "seconds of a CPU"], rows)


if __name__ == "__main__":
    main()
