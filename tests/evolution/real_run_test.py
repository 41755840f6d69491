#!/usr/bin/env python3
"""Runs an evolution of a real kernel, kills it at three points, resumes and replays it.

  real_run_test.py RKB SCRATCH TASK DIRECTION

No recorded effect is lost or evaluated again, and the replay ends with the same proposals.
"""

import json
import os
import pathlib
import shutil
import signal
import sqlite3
import subprocess
import sys
import time

KILLED_AFTER = [2, 6, 10]  # effects in the journal
LIMIT_S = 300
CLOCK_COLUMNS = {"seconds", "created_at", "run"}


def effects(archive):
    database = archive / "archive.sqlite"
    if not database.exists():
        return {}
    try:
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            return dict(connection.execute("SELECT key, value FROM effects"))
    except sqlite3.OperationalError:  # its tables are being made
        return {}


def evolve(rkb, archive, entry, *more):
    return [rkb, "evolve", "--task", entry[0], "--direction", entry[1], "--device", "cpu",
            "--archive", str(archive), *more]


def run_until(command, archive, count):
    """Kills the run once its journal has so many effects. Returns them."""
    process = subprocess.Popen(command, start_new_session=True)
    deadline = time.monotonic() + LIMIT_S
    while len(effects(archive)) < count:
        if process.poll() is not None:
            sys.exit(f"the run ended before it had {count} effects")
        if time.monotonic() > deadline:
            sys.exit(f"no {count} effects in {LIMIT_S} s")
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return effects(archive)


def proposals(rkb, archive, run):
    exported = subprocess.run([rkb, "archive", "export", run, "--format", "jsonl", "--archive",
                               str(archive)], check=True, capture_output=True, text=True).stdout
    rows = [json.loads(line) for line in exported.splitlines()]
    return [{key: value for key, value in row.items() if key not in CLOCK_COLUMNS}
            for row in rows if row["type"] == "proposal"]


def main():
    rkb, scratch, *entry = sys.argv[1:]
    scratch = pathlib.Path(scratch)
    shutil.rmtree(scratch, ignore_errors=True)
    archive = scratch / "killed"
    begin = ["--seed-kernel", "plain", "--set", "max_evaluations=3", "--set", "minutes=10"]
    run = f"{entry[0]}.{entry[1]}.cpu.1"
    resume = ["--resume", run]
    command = evolve(rkb, archive, entry, *begin)
    for count in KILLED_AFTER:
        before = run_until(command, archive, count)
        command = evolve(rkb, archive, entry, *resume)
    subprocess.run(command, check=True)
    after = effects(archive)
    lost = {key for key, value in before.items() if after.get(key) != value}
    if lost:
        sys.exit(f"lost or evaluated again: {sorted(lost)}")
    replayed = scratch / "replayed"
    subprocess.run(evolve(rkb, replayed, entry, *begin, "--replay", f"{archive}:{run}"),
                   check=True)
    expected, again = proposals(rkb, archive, run), proposals(rkb, replayed, run)
    if expected != again:
        sys.exit(f"the replay differs:\n{json.dumps(expected)}\n{json.dumps(again)}")
    if not any(row["proposer"] != "seed" for row in expected):
        sys.exit("nothing was proposed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
