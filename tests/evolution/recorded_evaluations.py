#!/usr/bin/env python3
"""Serves recorded evaluations of a real run to a run with kernels of the same kinds.

  recorded_evaluations.py OUT...

recorded_evaluations.json has one evaluation for each purpose and each kind of kernel in such a run.
This script writes it anew, from runs that these commands made:

  benchmarks/model_run.py --out OUT --entry mnist_pool.forward --delay 0 --set seed_kernel=plain
  the same with another OUT, --set votes=off --set max_generations=1
  the same with another OUT, --set translate=false --set max_generations=1

The kinds of kernels are found when a run gets the evaluations. So a changed kernel needs a new
record only if its form changes.
"""

import argparse
import hashlib
import itertools
import json
import pathlib
import re
import sqlite3
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import model_run  # noqa: E402

FILE = pathlib.Path(__file__).with_suffix(".json")
# The arguments of the commands above.
RUN = argparse.Namespace(entry="mnist_pool.forward", device="cpu", seed=1, delay=0)
# Beginnings of the keys of a run's effects.
PURPOSES = ("compile", "screen", "test", "race", "seeds", "confirm", "unseen", "profile")
# How often a child may have to win, which depends on its number in the run.
RACES = range(2, 5)
CASES_KEPT = 2  # of each record; the others only repeat them
ANSWER = re.compile(r"<strategy>(\w+).*<cpp>\n(.*)\n</cpp>", re.S)


def hash_of(text):
    return hashlib.sha256(text.encode()).hexdigest()


def sources_by_kind():
    """The kernels that a run of model_run may have, {kind: list}."""
    task, direction = RUN.entry.split(".")
    texts = {"plain": [(ROOT / "tasks" / task / f"{direction}.cpp").read_text()],
             "registered": [path.read_text() for path in sorted(
                 (ROOT / "kernels" / task / direction).glob("*.cpp"))]}
    plain, shipped = model_run.kernels(RUN.entry, RUN.device)
    for answer in model_run.answers(plain, shipped, "cpp", RUN.seed):
        if found := ANSWER.search(answer):
            texts.setdefault(found[1], []).append(found[2].strip() + "\n")
    return texts


def hashes_by_kind(sources=None):
    return {kind: [hash_of(text) for text in of_kind]
            for kind, of_kind in (sources or sources_by_kind()).items()}


def purpose_of(key):
    return key.partition("/")[0]


def keys_of(archive):
    with sqlite3.connect(archive / "archive.sqlite") as database:
        return {(run, key) for run, key in database.execute("SELECT run, key FROM effects")
                if purpose_of(key) in PURPOSES}


def runs_of(archive):
    try:
        with sqlite3.connect(f"file:{archive / 'archive.sqlite'}?mode=ro", uri=True) as database:
            return [run for run, in database.execute("SELECT id FROM runs")]
    except sqlite3.OperationalError:  # its tables are being made
        return []


def begin(rkb, archive, *options):
    """Makes an archive with a run that has evaluated next to nothing."""
    archive.mkdir(parents=True)
    with subprocess.Popen([rkb, "evolve", "--task", RUN.entry.partition(".")[0], "--device", "cpu",
                           "--archive", archive, *options], stdout=subprocess.DEVNULL) as process:
        while not runs_of(archive):
            if process.poll() is not None:
                sys.exit("the run has ended")
            time.sleep(0.05)
        process.kill()


def give(archive, runs, sources=None):
    """Puts an evaluation of each purpose into these runs for each kernel that they may have.
    `sources` are those kernels where they are not those of model_run, {kind: list}."""
    hashes = hashes_by_kind(sources)
    rows = []
    for template, evaluation in json.loads(FILE.read_text()).items():
        purpose, *kinds = template.split("/")
        for own in itertools.product(*(hashes[kind] for kind in kinds)):
            if evaluation["object_hash"]:
                evaluation["object_hash"] = hash_of("object " + own[0])
            for attempt in RACES if purpose == "race" else [1]:
                key = "/".join([purpose, *own, str(attempt)])
                rows += [(run, key, json.dumps(evaluation), "") for run in runs]
    with sqlite3.connect(archive / "archive.sqlite") as database:
        database.executemany("INSERT OR REPLACE INTO effects VALUES (?, ?, ?, ?)", rows)


def shortened(evaluation):
    record, = evaluation["record"]["kernels"]
    record["cases"] = record["cases"][:CASES_KEPT]
    return evaluation


def recorded(out):
    """The evaluations of a run by their templates. Those of accepted kernels are preferred."""
    archive = out / "archive"
    kinds = {own: kind for kind, of_kind in hashes_by_kind().items() for own in of_kind}
    found = {}
    with sqlite3.connect(archive / "archive.sqlite") as database:
        accepted = {own for own, in database.execute(
            "SELECT source_hash FROM proposals WHERE outcome = 'accepted'")}
        for key, value, value_hash in database.execute(
                "SELECT key, value, value_hash FROM effects"):
            purpose, *own = key.split("/")
            if purpose not in PURPOSES:
                continue
            own.pop()
            template = "/".join([purpose, *(kinds[each] for each in own)])
            text = value or (archive / "content" / value_hash[:2] / value_hash[2:]).read_text()
            text = text.replace(str(archive), "/archive").replace(str(ROOT), "/suite")
            if template not in found or own[0] in accepted:
                found[template] = shortened(json.loads(text))
    return found


def main():
    evaluations = {}
    for out in sys.argv[1:]:
        evaluations = recorded(pathlib.Path(out).resolve()) | evaluations
    lines = [f"{json.dumps(template)}: {json.dumps(evaluation, sort_keys=True)}"
             for template, evaluation in sorted(evaluations.items())]
    FILE.write_text("{\n" + ",\n".join(lines) + "\n}\n")
    print(*sorted(evaluations), sep="\n")


if __name__ == "__main__":
    main()
