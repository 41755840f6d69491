#!/usr/bin/env python3
"""Evaluates many small CPU kernels in one run, a fifth of them faulty, and kills the run in between.

  benchmarks/faults.py --out DIRECTORY [--count 1000] [--timed 20]

Faulty kernels crash, never return, take all memory, leave a process, or fill their directory. Each
has to get its verdict, all others have to pass, and a run that SIGKILL ends has to go on with
--resume. It must leave no process. Then some right kernels are timed alone and between faulty ones.
DIRECTORY/run.json is for docs/runs/faults.json. Exits with 1 where anything is otherwise.
"""

import argparse
import collections
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import time

from figures import ROOT, Figures, machine, torch_version

RKB = ROOT / "build/robust/bin/rkb"
RIGHT = ROOT / "kernels/mnist_linear/forward/blocked.cpp"
EXPLOITS = ROOT / "tests/exploits"
FAULTS = {"writes_to_null": "crash", "never_returns": "timeout",
          "allocates_tensors_without_end": "out_of_memory", "leaves_a_daemon": "cheat",
          "writes_many_files": "sandbox_violation"}
FAULTY_PART = 5  # one in so many
QUICK = ["--scope", "quick", "--configs", "small", "--seeds", "1", "--call-timeout", "2"]
MARK = "RKB_FAULTS_RUN"  # a variable that all processes of a run have


def write_kernels(directory, count):
    """Files in the order of the run, {path: the verdict that it has to get}."""
    shutil.rmtree(directory, ignore_errors=True)
    shutil.copytree(ROOT / "kernels/common", directory / "common")
    shutil.copy(EXPLOITS / "honest_linear.hpp", directory)
    faults = list(FAULTS.items())
    expected = {}
    for number in range(count):
        name, verdict = "blocked", "pass"
        source = RIGHT
        if number % FAULTY_PART == FAULTY_PART - 1:
            name, verdict = faults[number // FAULTY_PART % len(faults)]
            source = EXPLOITS / f"{name}.cpp"
        text = source.read_text().replace('#include "../../common', '#include "common')
        path = directory / f"{number:04}_{name}.cpp"
        path.write_text(f"{text}\n// kernel {number}\n")
        expected[str(path)] = verdict
    return expected


def evaluate(paths, out, *options):
    environment = os.environ | {MARK: str(out)}
    return subprocess.Popen([RKB, "evaluate", "--task", "mnist_linear", "--json", out, *options, *paths],
                            env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def processes_of(out):
    """Numbers of the living processes of a run."""
    found = []
    for environment in pathlib.Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"{MARK}={out}".encode() in environment.read_bytes():
                found.append(int(environment.parent.name))
        except OSError:
            pass  # it ended, or is another user's
    return found


def records_of(file):
    return json.loads(file.read_text())["kernels"]


def run_all(expected, out, figures):
    """The verdicts by path of a run that is killed once. Records seconds and what is left."""
    options = [*QUICK, "--no-bench", "--jobs", str(max(1, len(os.sched_getaffinity(0))))]
    part = out.with_name(out.name + ".part")
    begun = time.monotonic()
    killed = evaluate(expected, out, *options)
    while killed.poll() is None and (not part.exists() or part.read_bytes().count(b"\n{") < len(expected) // 2):
        time.sleep(0.2)
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    time.sleep(2)
    left = processes_of(out)
    kept = part.read_bytes().count(b"\n{") if part.exists() else 0
    evaluate(expected, out, *options, "--resume").wait()
    figures.record(kernels=len(expected), kept_when_killed=kept, processes_left=len(left),
                   seconds=round(time.monotonic() - begun), left_at_the_end=len(processes_of(out)))
    return {record["path"]: record["verdict"] for record in records_of(out)}


def times_of(paths, out):
    """The interval of each right kernel's speed-up over eager, by its file's name."""
    evaluate(paths, out, *QUICK).wait()
    return {pathlib.Path(record["path"]).name: record["mean_speedups"][0]
            for record in records_of(out) if record["mean_speedups"]}


def overlap(one, other):
    return one["ci_low"] <= other["ci_high"] and other["ci_low"] <= one["ci_high"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--count", type=int, default=1000)
    parser.add_argument("--timed", type=int, default=20, help="kernels of the timed runs")
    options = parser.parse_args()
    figures = Figures(options.out)
    figures.record(machine(torch_version(RKB)))
    expected = write_kernels(figures.out / "kernels", options.count)
    found = run_all(expected, figures.out / "records.json", figures)
    pairs = collections.Counter((verdict, found.get(path, "lost")) for path, verdict in expected.items())
    figures.record_table("verdicts", ["expected", "found", "kernels"],
                         [[*pair, number] for pair, number in sorted(pairs.items())])
    some = list(write_kernels(figures.out / "timed", options.timed))
    right = [path for path in some if path.endswith("_blocked.cpp")]
    alone = times_of(right, figures.out / "alone.json")
    beside = times_of(some, figures.out / "beside.json")
    moved = [name for name, time_alone in alone.items() if not overlap(time_alone, beside[name])]
    figures.record(timed=len(alone), moved=len(moved))
    facts = figures.recorded["facts"]
    wrong = sum(number for (verdict, got), number in pairs.items() if verdict != got)
    print(f"{wrong} of {len(expected)} otherwise; left {facts['processes_left']} and "
          f"{facts['left_at_the_end']} processes; times of {len(moved)} of {len(alone)} moved")
    return 1 if wrong or facts["processes_left"] or facts["left_at_the_end"] else 0


if __name__ == "__main__":
    sys.exit(main())
