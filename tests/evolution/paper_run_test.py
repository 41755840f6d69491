#!/usr/bin/env python3
"""The paper's default run with a stub in place of its five models, with all stages, on the CPU.

  paper_run_test.py BUILD SCRATCH

It ends, and its ledger has what the stub has counted. It is replayed, and it is made again with the
evaluations that it has recorded. Ends with 77 where the helper's Python is missing.
"""

import argparse
import pathlib
import shutil
import sqlite3
import subprocess
import sys

import own_session
import runs_with_models
from runs_with_models import ROOT, SKIPPED, check

import evolve_run
import model_run
import stub_models

TASK = "mnist_pool"
RUN = f"{TASK}.forward.cpu.1"
GENERATIONS, POPULATION, EVALUATED = 10, 8, 4
LIMIT_S = 600
# Each kind of evaluation begins the keys of its effects.
EVALUATIONS = ("compile", "screen", "test", "race", "seeds", "confirm", "unseen", "profile")


def asked_all(archive):
    """Five models of three providers have proposed, and every stage has asked."""
    calls = stub_models.calls_of(archive)
    proposing = {call["model"] for call in calls if call["stage"] == "propose"}
    check(len(proposing) == 5, sorted(proposing))
    providers = {model.partition("/")[0] for model in proposing}
    check(providers == set(stub_models.PROVIDERS), sorted(providers))
    stages = {call["stage"] for call in calls}
    check(stages == {"translate", "profile", "propose", "verify"}, sorted(stages))


def has_the_papers_size(rows):
    evaluated = model_run.evaluated(rows)
    check(len(rows) == GENERATIONS * POPULATION, len(rows), "proposals")
    for generation in range(1, GENERATIONS + 1):
        count = sum(1 for row in evaluated if row["generation"] == generation)
        check(count <= EVALUATED, count, "were evaluated of generation", generation)
    check(evaluated, "none was evaluated")


def paper_run(build, out):
    """Makes the run. Returns its archive."""
    made = subprocess.run(
        [sys.executable, ROOT / "benchmarks" / "model_run.py", "--out", out, "--entry",
         f"{TASK}.forward", "--device", "cpu", "--delay", "0", "--set", "configs=small", "--build",
         build, "--python", stub_models.python_of(build)],
        check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    print(made.stdout, flush=True)
    archive = out / "archive"
    check(made.returncode == 0, "the run failed; see", archive / "output.txt")
    check(evolve_run.ended_run(archive)["run"] == RUN, evolve_run.ended_run(archive))
    check(runs_with_models.ended(archive, RUN) == "generations",
          runs_with_models.ended(archive, RUN))
    return archive


def with_evaluations_alone(archive, copy):
    """The archive without all that models have answered, and without what followed from it."""
    shutil.copytree(archive, copy)
    with sqlite3.connect(copy / "archive.sqlite") as database:
        kept = " OR ".join(f"key LIKE '{kind}/%'" for kind in EVALUATIONS)
        database.execute(f"DELETE FROM effects WHERE NOT (run = ? AND ({kept}))", [RUN])
        database.execute("DELETE FROM proposals")
        database.execute("DELETE FROM calls")
        database.execute("DELETE FROM answers")


def again(build, archive, copy):
    """The run asks the stub anew, and takes each evaluation that it has."""
    with_evaluations_alone(archive, copy)
    scenario = model_run.scenario(
        argparse.Namespace(entry=f"{TASK}.forward", device="cpu", seed=1, delay=0))
    with runs_with_models.kept_stub(copy.parent / "again", scenario) as stub:
        process = runs_with_models.start(build / "bin" / "rkb", TASK, copy,
                                         ["--resume", RUN, "--max-usd", "1000"],
                                         stub.environment())
        check(process.wait(LIMIT_S) == 0, "it did not go on; see", copy / "output.txt")
        requests = stub.requests()
    check(runs_with_models.ended(copy, RUN) == "generations", runs_with_models.ended(copy, RUN))
    calls = stub_models.calls_of(copy)
    asked_all(copy)
    check({request["wire"] for request in requests} == {"openai", "anthropic"}, "one wire alone")
    ledger, by_stub, agrees = model_run.compared(stub_models.python_of(build), calls, requests)
    check(agrees, "the ledger has", ledger, "and the stub", by_stub)
    has_the_papers_size(evolve_run.exported_proposals(build / "bin" / "rkb", copy, RUN))


def main():
    build, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    if runs_with_models.lacks_python(build):
        return SKIPPED
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    archive = paper_run(build, scratch / "run")
    asked_all(archive)
    has_the_papers_size(evolve_run.proposals_of(build / "bin" / "rkb", archive))
    runs_with_models.replay(build / "bin" / "rkb", archive, RUN, LIMIT_S)
    again(build, archive, scratch / "anew" / "archive")
    runs_with_models.require_no_key(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(own_session.in_own_session(main))
