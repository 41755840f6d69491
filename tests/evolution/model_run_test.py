#!/usr/bin/env python3
"""Runs in which a stub of five models proposes: what they cost, what is refused, how they end.

  model_run_test.py BUILD SCRATCH [SCENARIO...]

All scenarios go on with a run whose seeds have raced, so that this is done once. Ends with 77 where
the helper's Python is missing.
"""

import collections
import pathlib
import shutil
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import evolve_run  # noqa: E402
import model_run  # noqa: E402
import own_session  # noqa: E402
import runs_with_models  # noqa: E402
import stub_models  # noqa: E402
from runs_with_models import LIMIT_S, MODELS, RUN, check  # noqa: E402

SKIPPED = 77
EXPLOITS = ROOT / "tests" / "exploits"
# One of each class. The last two are right on the shapes that a prompt shows.
CHEATS = ["returns_zeros", "returns_its_input", "writes_its_input", "remembers_by_pointer",
          "forges_an_answer", "exits_with_success", "opens_a_socket", "reads_files_of_the_user",
          "writes_past_its_output", "quotes_passed_in_error", "leaves_a_child",
          "searches_environments", "narrow/mnist_linear/forward/without_tail",
          "narrow/mnist_linear/forward/clamps_at_500"]
CLOCK_COLUMNS = {"seconds", "created_at", "run"}
PLAIN = evolve_run.plain_kernel(f"{runs_with_models.TASK}.forward")


def broken(number):
    """A kernel that does not compile, as no other does."""
    return stub_models.kernel_answer(f"{PLAIN}\nbroken {number};", name=f"broken_{number}")


def wrong(number):
    code = model_run.with_edit(PLAIN.replace("sum = 0.0f", "sum = 1.0f"), number)
    return stub_models.kernel_answer(code, name=f"wrong_{number}")


def states_of(calls):
    return collections.Counter(call["state"] for call in calls)


def require_no_key(directory):
    """No file below has a planted key."""
    key = stub_models.PLANTED.encode()
    found = [path for path in directory.rglob("*") if path.is_file() and key in path.read_bytes()]
    check(not found, "a key stands in", *found)


def costs(runs):
    """The ledger says what the stub has counted, and no key is left anywhere. A replay costs
    nothing and needs neither helper nor key."""
    rules = [{"status": 429, "headers": {"retry-after": "0"}, "times": 2},
             {"status": 500, "times": 1},
             {"status": 401, "error": "no such key", "times": 1},
             {"refusal": "I will not.", "times": 1},
             {"text": "nonsense", "times": 1},
             {"text": broken(0), "usage": None, "times": 1},
             {"text": broken(1), "finish_reason": "length", "times": 1},
             {"texts": [broken(2), wrong(3), "more nonsense", broken(4), wrong(5)]}]
    archive = runs.archive("costs", {"population": 10})
    with stub_models.Stub(runs.scratch / "costs" / "stub", {"rules": rules}) as stub:
        runs.resume(archive, stub)
        requests, count = stub.requests(), stub.count()
    calls = stub_models.calls_of(archive)
    check(len(calls) == count["requests"] == len(requests), len(calls), count)
    check({request["wire"] for request in requests} == {"openai", "anthropic"}, "one wire alone")
    check(states_of(calls) == {"failed": 4, "estimated": 1, "charged": 8}, states_of(calls))
    charged = [call for call in calls if call["state"] == "charged"]
    ledger = collections.Counter()
    for call in charged:
        ledger[call["model"].partition("/")[2]] += call["charged_tokens"]
    check(ledger == model_run.tokens_of(requests), ledger, model_run.tokens_of(requests))
    provider_of = {model.partition("/")[2]: model.partition("/")[0] for model in MODELS}
    cost = stub_models.price(runs.python, provider_of, requests)
    check(sum(call["charged_micro_usd"] for call in charged) == cost, "costs", cost)
    estimated, = (call for call in calls if call["state"] == "estimated")
    check(estimated["charged_micro_usd"] == estimated["reserved_micro_usd"], dict(estimated))
    printed = subprocess.run([runs.rkb, "archive", "costs", RUN, "--archive", archive], check=True,
                             capture_output=True, text=True).stdout
    total = sum(call["charged_tokens"] for call in calls)
    check(f"{total} tokens; " in printed, printed)
    require_no_key(runs.scratch / "costs" / "archive")
    replay(runs, archive)


def replay(runs, archive):
    replayed = archive.parent / "replayed"
    process = runs.start(replayed, ["--replay", f"{archive}:{RUN}"], {"PATH": "/nonexistent"})
    check(process.wait(LIMIT_S) == 0, "the replay failed; see", replayed / "output.txt")

    def timeless(rows):
        return [{key: value for key, value in row.items() if key not in CLOCK_COLUMNS}
                for row in rows]

    check(timeless(runs.proposals(archive)) == timeless(runs.proposals(replayed)), "rows differ")
    check(runs.ended(archive) == runs.ended(replayed), runs.ended(replayed))
    calls = stub_models.calls_of(replayed)
    check(set(states_of(calls)) == {"unpaid"}, states_of(calls))
    check(not any(call["charged_micro_usd"] for call in calls), "a replay cost something")


def exploits(runs):
    """No kernel that cheats is accepted, and none finds a key."""
    answers = [stub_models.kernel_answer(
        model_run.inlined((EXPLOITS / f"{name}.cpp").resolve(), set()), strategy=name)
        for name in CHEATS]
    archive = runs.archive("exploits", {"population": len(CHEATS), "deduplicate": False})
    scenario = {"rules": [{"text": answer, "times": 1} for answer in answers]}
    with stub_models.Stub(runs.scratch / "exploits" / "stub", scenario) as stub:
        runs.resume(archive, stub)
    outcomes = {row["strategy"]: row for row in runs.proposals(archive)}
    check(set(outcomes) == set(CHEATS), sorted(outcomes))
    for name, row in outcomes.items():
        check(row["outcome"] == "refused", name, row["outcome"])
        compiles = name != "quotes_passed_in_error"
        check((row["reason_class"] == "compile_error") != compiles, name, row["reason"])
    reason = outcomes["searches_environments"]["reason"]
    check("finds no environment" in reason, reason)
    require_no_key(archive)


def goes_away(runs):
    """The endpoint ends in the middle. The run says so, and goes on when it is resumed. Votes keep
    half of the second generation back."""
    archive = runs.archive("goes_away", {"population": 8, "max_generations": 2, "votes": "on",
                                         "gate": "rank", "evaluated": 4, "reflections": 0})
    rules = [{"contains": "FINAL VERIFICATION ANSWER", "quote": stub_models.MARK,
              "texts": [stub_models.VERDICT.format("True"), stub_models.VERDICT.format("False")]},
             {"texts": [broken(number) for number in range(20)], "delay_s": 1}]
    with stub_models.Stub(runs.scratch / "goes_away" / "stub",
                          {"rules": rules, "exit_after": 3}) as stub:
        reason = runs.resume(archive, stub)
    check("8 questions in a row gave no kernel" in reason, reason)
    before = runs.proposals(archive)
    check([row["reason_class"] for row in before] == ["no_source"] * 8, before)
    with stub_models.Stub(runs.scratch / "goes_away" / "again", {"rules": rules}) as stub:
        check(runs.resume(archive, stub) == "generations", runs.ended(archive))
        check(stub.count()["requests"] == 8 * (1 + 3), stub.count())
    rows = runs.proposals(archive)
    check(rows[:8] == before, "what was there has changed")
    reasons = collections.Counter(row["reason_class"] for row in rows[8:])
    check(reasons == {"compile_error": 4, "outranked": 4}, reasons)


def nonsense(runs):
    """Models that answer nonsense fall silent, and the reason is in the summary."""
    archive = runs.archive("nonsense", {"on_model_failure": "go_on"})
    with stub_models.Stub(runs.scratch / "nonsense" / "stub",
                          {"default": {"text": "Good morning."}}) as stub:
        reason = runs.resume(archive, stub)
        check(stub.count()["requests"] == 8, stub.count())
    check("8 questions in a row gave no kernel" in reason or reason == "generations", reason)


def overruns(runs):
    """A bill above its reservation stops the run, unless the settings say otherwise. Where the
    endpoint's own bill is the dearer one, that is charged."""
    rules = [{"text": broken(0), "usage": {"output_tokens": 40000}, "times": 1, "delay_s": 1},
             {"texts": [broken(number) for number in range(1, 12)], "delay_s": 2}]
    for on_overrun in ("stop", "go_on"):
        name = f"overrun_{on_overrun}"
        archive = runs.archive(name, {"on_overrun": on_overrun, "population": 4, "side_by_side": 1,
                                      "models": MODELS[:1]})
        with stub_models.Stub(runs.scratch / name / "stub", {"rules": rules}) as stub:
            reason = runs.resume(archive, stub)
        states = states_of(stub_models.calls_of(archive))
        check(states["overrun"] == 1, states)
        check(states["charged"] == (0 if on_overrun == "stop" else 3), on_overrun, states)
        check(("had been reserved" in reason) == (on_overrun == "stop"), reason)
    archive = runs.archive("cost", {"population": 1, "models": MODELS[:1]})
    with stub_models.Stub(runs.scratch / "cost" / "stub",
                          {"default": {"text": broken(0), "cost": 0.05}}) as stub:
        runs.resume(archive, stub)
    call, = stub_models.calls_of(archive)
    check((call["state"], call["charged_micro_usd"]) == ("charged", 50000), dict(call))


def kill(runs):
    """After a kill among questions nothing is asked again that was answered."""
    archive = runs.archive("kill", {"population": 6})
    rules = [{"text": broken(0), "times": 2}, {"texts": [broken(i) for i in range(1, 9)],
                                               "delay_s": 8, "times": 4},
             {"texts": [broken(i) for i in range(10, 20)]}]
    with stub_models.Stub(runs.scratch / "kill" / "stub", {"rules": rules}) as stub:
        process = runs.start(archive, ["--resume", RUN, "--max-usd", "100"], stub.environment())
        deadline = time.monotonic() + LIMIT_S
        while states_of(stub_models.calls_of(archive)) != {"charged": 2, "reserved": 4}:
            check(time.monotonic() < deadline, states_of(stub_models.calls_of(archive)))
            time.sleep(0.1)
        time.sleep(1)  # in which answers that have come are stored
        process.send_signal(signal.SIGKILL)
        process.wait()
        runs.resume(archive, stub)
        requests = stub.count()["requests"]
    calls = stub_models.calls_of(archive)
    check(states_of(calls) == {"charged": 6, "unknown": 4}, states_of(calls))
    check(requests == len(calls), requests, len(calls))
    for call in calls:
        if call["state"] == "unknown":
            check(call["charged_micro_usd"] == call["reserved_micro_usd"], dict(call))
            check(any(other["call"] == call["call"] and other["attempt"] > call["attempt"]
                      for other in calls), "not asked again:", call["call"])


SCENARIOS = (costs, exploits, goes_away, nonsense, overruns, kill)


def main():
    build, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    python = stub_models.python_of(build)
    if not python.exists():
        print(f"{python} is missing; make it by: llm/install.py {python.parent.parent}")
        return SKIPPED
    runs = runs_with_models.Runs(build, scratch)
    for scenario in SCENARIOS:
        if sys.argv[3:] and scenario.__name__ not in sys.argv[3:]:
            continue
        began = time.monotonic()
        scenario(runs)
        print(f"{scenario.__name__}: as it should be, {time.monotonic() - began:.0f} s", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(own_session.in_own_session(main))
