#!/usr/bin/env python3
"""Runs an evolution in which cheats are proposed, kills it at three points, resumes and replays it.

  real_run_test.py RKB SCRATCH

This is the one evolution of the tests here whose evaluations are real. Each cheat is refused in its
class, and finds no key. No recorded effect is lost or evaluated again, and the replay ends with the
same proposals.
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

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import evolve_run  # noqa: E402
import model_run  # noqa: E402
import stub_models  # noqa: E402
from runs_with_models import LIMIT_S, check, require_no_key  # noqa: E402

TASK = "mnist_linear"
RUN = f"{TASK}.forward.cpu.1"
KILLED_AFTER = [2, 10, 30]  # effects in the journal
CLOCK_COLUMNS = {"seconds", "created_at", "run"}
# One cheat of each class, with the verdicts of its refusal. The last one may lose the first race,
# which comes before the cases that show it.
CHEATS = {
    "returns_zeros": {"wrong_result"},
    "returns_its_input": {"cheat (input_as_output)"},
    "writes_its_input": {"cheat (input_mutation)"},
    "remembers_by_pointer": {"wrong_result"},
    "forges_an_answer": {"crash"},
    "exits_with_success": {"crash"},
    "opens_a_socket": {"exception"},
    "reads_files_of_the_user": {"exception"},
    "writes_past_its_output": {"cheat (out_of_bounds_write)"},
    "writes_its_output_later": {"cheat (late_write)"},
    # Whether a checked call or the clock shows it first is random.
    "timed/answers_before_it_is_done": {"cheat (timing)", "cheat (late_write)"},
    "quotes_passed_in_error": {"compile_error"},
    "leaves_a_child": {"cheat (left_process)"},
    "searches_environments": {"exception"},
    "has_no_entry_point": {"load_error"},
    "errs_at_random": {"nondeterministic", "wrong_result"},
    "never_returns": {"timeout"},
    "allocates_tensors_without_end": {"out_of_memory"},
    # These are right on the shapes in a prompt.
    "narrow/mnist_linear/forward/without_tail": {"wrong_result"},
    "narrow/mnist_linear/forward/clamps_at_500": {"wrong_result", "slower", "no_gain"},
}


def effects(archive):
    try:
        place = f"file:{archive / 'archive.sqlite'}?mode=ro"
        with sqlite3.connect(place, uri=True) as connection:
            return dict(connection.execute("SELECT key, value FROM effects"))
    except sqlite3.OperationalError:  # its tables are being made
        return {}


def cheats():
    """Their sources by name. Each begins with its name."""
    return {name.replace("/", "__"): f"// {name}\n" + model_run.inlined(
        (ROOT / "tests" / "exploits" / f"{name}.cpp").resolve(), set()) for name in CHEATS}


def put_back_lost(archive, queue, sources):
    """A proposal that a killed run was about to make is in no file of its archive."""
    files = [path.read_bytes() for path in archive.rglob("*") if path.is_file()]
    for name, text in sources.items():
        first_line = text.partition("\n")[0].encode()
        if not (queue / name).exists() and not any(first_line in file for file in files):
            (queue / name).write_text(text)


def environment():
    """With a planted key, which cheats may look for."""
    return {**os.environ, "OPENAI_API_KEY": f"{stub_models.PLANTED}openai"}


def run_until(command, archive, count):
    """Kills the run once its journal has so many effects. Returns them."""
    process = subprocess.Popen(command, start_new_session=True, env=environment())
    deadline = time.monotonic() + LIMIT_S
    while len(effects(archive)) < count:
        check(process.poll() is None, "the run ended before it had", count, "effects")
        check(time.monotonic() < deadline, "no", count, "effects in", LIMIT_S, "s")
        time.sleep(0.05)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return effects(archive)


def proposals(rkb, archive):
    return [{key: value for key, value in row.items() if key not in CLOCK_COLUMNS}
            for row in evolve_run.exported_proposals(rkb, archive, RUN)]


def refused_as_they_should_be(rows):
    by_name = {row["source"].partition("\n")[0].removeprefix("// "): row for row in rows}
    check(len(rows) == len(by_name) and set(by_name) == set(CHEATS), sorted(by_name))
    for name, row in by_name.items():
        check(row["outcome"] == "refused", name, row["outcome"])
        check(row["reason_class"] in CHEATS[name], name, row["reason_class"], row["reason"])
    reason = by_name["searches_environments"]["reason"]
    check("finds no environment" in reason, reason)


def main():
    rkb, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:])
    shutil.rmtree(scratch, ignore_errors=True)
    archive, sources = scratch / "killed", cheats()
    # Calls that ask for more than kernels do would else not be made.
    settings = [*evolve_run.propose_from(scratch, sources), "deduplicate=false", "allow=all",
                "profile=false"]
    begin = ["--seed-kernel", "plain", *(word for each in settings for word in ("--set", each))]

    def command(directory, *options):
        return [rkb, "evolve", "--task", TASK, "--device", "cpu", "--archive", directory, *options]

    options = begin
    for count in KILLED_AFTER:
        before = run_until(command(archive, *options), archive, count)
        put_back_lost(archive, scratch / "queue", sources)
        options = ["--resume", RUN]
    subprocess.run(command(archive, *options), check=True, env=environment())
    after = effects(archive)
    lost = {key for key, value in before.items() if after.get(key) != value}
    check(not lost, "lost or evaluated again:", sorted(lost))
    rows = proposals(rkb, archive)
    refused_as_they_should_be(rows)
    replayed = scratch / "replayed"
    subprocess.run(command(replayed, *begin, "--replay", f"{archive}:{RUN}"), check=True)
    again = proposals(rkb, replayed)
    check(rows == again, "the replay differs:", json.dumps(rows), json.dumps(again))
    require_no_key(scratch)


if __name__ == "__main__":
    main()
