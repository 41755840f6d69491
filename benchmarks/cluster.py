#!/usr/bin/env python3
"""Measures what many machines gain, and what their folder costs.

  benchmarks/cluster.py --out DIRECTORY

A run of 200 recorded candidates is made on one, two and three nodes of a Slurm on this machine. Where
Slurm is missing, processes stand for nodes. Each evaluation takes a quarter of a second and no
processor. Then pilots are killed. At last `rkb_pilot_folder`, which is built for this, does the file
operations of 1,000 pilots. DIRECTORY/run.json is for docs/runs/cluster.json.
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import statistics
import subprocess
import sys
import time

from figures import ROOT, Figures, machine, torch_version

sys.path.insert(0, str(ROOT / "tests/cluster"))
import slurm  # noqa: E402
from recorded_run import RecordedRun, candidates  # noqa: E402

BUILD = ROOT / "build/robust"
CANDIDATES = 200
SECONDS = 0.25
NODES = (1, 2, 3)
LEASES_S = (2, 10, 60)
PILOTS, SIMULATED_S, JOB_S = 1000, 30, 30
LONGEST_RUN_S = 900


def fresh(directory):
    shutil.rmtree(directory, ignore_errors=True)
    directory.mkdir(parents=True)
    return directory


def run_on(nodes, directory):
    """The run of all candidates on so many nodes, once it has ended."""
    run = RecordedRun(BUILD, fresh(directory), candidates(CANDIDATES), seconds=SECONDS, lease=10)
    if slurm.missing():
        coordinator = run.coordinator(pilots=nodes)
        for number in range(nodes):
            run.pilot(f"pilot_{number}")
    else:
        coordinator = run.coordinator(pilots=nodes, options=[
            "--workers", "slurm", f"--pilot-option=--recorded={run.recorded}",
            "--pilot-option=--slots=1"])
    code = coordinator.process.wait(LONGEST_RUN_S)
    run.end()
    if code != 0:
        sys.exit(coordinator.text())
    return run


def speed(figures, out):
    rows, first = [], None
    cluster = None if slurm.missing() else slurm.Slurm(fresh(out / "slurm") / "cluster")
    try:
        if cluster:
            os.environ.update(cluster.environment)
        for nodes in NODES:
            run = run_on(nodes, out / f"nodes_{nodes}")
            seconds = run.events("run_changed")[-1]["summary"]["seconds"]
            first = first or (seconds, run)
            rows.append([nodes, round(seconds), round(60 * CANDIDATES / seconds),
                         round(first[0] / seconds, 2)])
    finally:
        if cluster:
            cluster.end()
    figures.record_table("nodes", ["nodes", "seconds", "candidates a minute", "times as many"], rows)
    seconds, run = first
    answered = run.events("answered")
    worked = sum(event["worked_s"] for event in answered)
    waited = statistics.median(event["waited_s"] for event in answered)
    figures.record(claim_ms=round(1000 * waited),
                   job_ms=round(1000 * (seconds - worked) / len(answered)),
                   nodes_are="nodes of a Slurm" if cluster else "processes")


def claimed(run, attempt):
    return [name for name in os.listdir(run.run_directory / "claimed")
            if name.split(".")[1] == str(attempt)]


def until(condition):
    begin = time.monotonic()
    while not (result := condition()):
        if time.monotonic() - begin > 5 * max(LEASES_S):
            sys.exit("a claim does not come")
        time.sleep(0.005)
    return result


def second_claim(lease, directory):
    """Seconds from a pilot's death to the second claim of its candidate by one that waits."""
    run = RecordedRun(BUILD, fresh(directory), candidates(2), seconds=5, lease=lease)
    coordinator = run.coordinator(pilots=1)
    run.pilot("first")
    until(lambda: run.run_directory.exists() and claimed(run, 1))
    run.pilot("waits")
    until(lambda: len(os.listdir(run.run_directory / "leases")) == 2)
    until(lambda: not claimed(run, 1))
    name = until(lambda: claimed(run, 1))[0]
    number, pilot = name.split(".")[0], name.split(".")[2]
    os.kill(int(pilot.rsplit("-", 2)[1]), signal.SIGKILL)
    begin = time.monotonic()
    until(lambda: any(each.startswith(number) for each in claimed(run, 2)))
    seconds = time.monotonic() - begin
    coordinator.kill()
    run.end()
    return seconds


def deaths(figures, out):
    rows = [[lease, round(second_claim(lease, out / f"death_{lease}"), 1)] for lease in LEASES_S]
    figures.record_table("deaths", ["--lease, s", "until the second claim, s"], rows)


def folder(figures, out):
    subprocess.run(["ninja", "-C", BUILD, "rkb_pilot_folder"], check=True,
                   stdout=subprocess.DEVNULL)
    told = subprocess.run([BUILD / "bin/rkb_pilot_folder", fresh(out / "folder") / "shared",
                           str(PILOTS), str(SIMULATED_S), str(JOB_S)],
                          check=True, stdout=subprocess.PIPE, text=True).stdout
    rows = [[what, round(found["per_second"], 1), round(found["median_us"]),
             round(found["per_second"] * found["mean_us"] / 1e4, 1)]
            for what, found in json.loads(told).items()]
    figures.record_table("folder", ["what", "a second", "median, us", "share of one processor, %"], rows)


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    out = parser.parse_args().out.resolve()
    figures = Figures(out)
    figures.record(machine(torch_version(BUILD / "bin/rkb")))
    speed(figures, out)
    deaths(figures, out)
    folder(figures, out)


if __name__ == "__main__":
    main()
