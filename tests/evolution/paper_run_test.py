#!/usr/bin/env python3
"""The paper's default run with a stub in place of its five models, with all stages, on the CPU.

  paper_run_test.py BUILD SCRATCH

Models answer, vote and summarise; the evaluations come from recorded_evaluations.json. The run
ends, its ledger agrees with the stub's counts, and it is replayed. Exits with 77 if the helper's
Python is missing.
"""

import pathlib
import shutil
import sqlite3
import sys
import time

import own_session
import recorded_evaluations
import runs_with_models
from runs_with_models import SKIPPED, check

import evolve_run
import model_run
import stub_models

TASK = recorded_evaluations.RUN.entry.partition(".")[0]
RUN = f"{TASK}.forward.cpu.1"
TRANSLATION = f"{TASK}.forward.cpu.2"
GENERATIONS, POPULATION, EVALUATED = 10, 8, 4
STAGES = {"translate", "profile", "propose", "verify"}
LIMIT_S = 300
NEVER = {"rules": [{"text": "", "delay_s": 10 * LIMIT_S}]}


def begun(rkb, archive):
    """Begins the run, and kills it while it waits for its translation."""
    with stub_models.Stub(archive.parent / "never", NEVER) as stub:
        process = runs_with_models.start(
            rkb, TASK, archive,
            ["--preset", "paper", "--seed-kernel", "plain", "--max-usd", "1000"],
            stub.environment())
        deadline = time.monotonic() + LIMIT_S
        while not stub.requests():
            check(process.poll() is None, "the run ended; see", archive / "output.txt")
            check(time.monotonic() < deadline, "nothing was asked")
            time.sleep(0.1)
        process.kill()
        process.wait()
    with sqlite3.connect(archive / "archive.sqlite") as database:
        database.execute("DELETE FROM calls")
        runs = {run for run, in database.execute("SELECT id FROM runs")}
    check(runs == {RUN, TRANSLATION}, runs)
    check(not recorded_evaluations.keys_of(archive), "it has evaluated")


def asked_all(calls):
    """Five models of three providers have proposed, and every stage has asked a model."""
    proposing = {call["model"] for call in calls if call["stage"] == "propose"}
    check(len(proposing) == 5, sorted(proposing))
    providers = {model.partition("/")[0] for model in proposing}
    check(providers == set(stub_models.PROVIDERS), sorted(providers))
    stages = {call["stage"] for call in calls}
    check(stages == STAGES, sorted(stages))


def has_the_papers_size(rows):
    evaluated = model_run.evaluated(rows)
    check(len(rows) == GENERATIONS * POPULATION, len(rows), "proposals")
    for generation in range(1, GENERATIONS + 1):
        of_it = [row for row in rows if row["generation"] == generation]
        ranked = sum(1 for row in of_it if "votes" in row["settings"])
        count = sum(1 for row in evaluated if row["generation"] == generation)
        check(count == min(EVALUATED, ranked), count, "of", ranked, "of generation", generation)


def main():
    build, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    if runs_with_models.lacks_python(build):
        return SKIPPED
    shutil.rmtree(scratch, ignore_errors=True)
    rkb, archive = build / "bin" / "rkb", scratch / "archive"
    begun(rkb, archive)
    recorded_evaluations.give(archive, [RUN, TRANSLATION])
    given = recorded_evaluations.keys_of(archive)
    with runs_with_models.kept_stub(scratch / "stub",
                                    model_run.scenario(recorded_evaluations.RUN)) as stub:
        process = runs_with_models.start(rkb, TASK, archive,
                                         ["--resume", RUN, "--max-usd", "1000"],
                                         stub.environment())
        check(process.wait(LIMIT_S) == 0, "it did not end; see", archive / "output.txt")
        requests = stub.requests()
    check(runs_with_models.ended(archive, RUN) == "generations",
          runs_with_models.ended(archive, RUN))
    unknown = recorded_evaluations.keys_of(archive) - given
    check(not unknown, "no evaluation is recorded for", *unknown)
    calls = stub_models.calls_of(archive)
    asked_all(calls)
    check({request["wire"] for request in requests} == {"openai", "anthropic"}, "one wire alone")
    ledger, by_stub, agrees = model_run.compared(stub_models.python_of(build), calls, requests)
    check(agrees, "the ledger has", ledger, "and the stub", by_stub)
    has_the_papers_size(evolve_run.proposals_of(rkb, archive))
    confirmed = evolve_run.ended_run(archive)["summary"]["confirmed"]
    check(confirmed["parent"]["ratio"] > 1, confirmed)
    runs_with_models.replay(rkb, archive, RUN, LIMIT_S)
    runs_with_models.require_no_key(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(own_session.in_own_session(main))
