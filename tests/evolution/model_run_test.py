#!/usr/bin/env python3
"""Tests runs in which a stub of five models proposes: their costs, refusals and ends.

  model_run_test.py BUILD SCRATCH [SCENARIO...]

All scenarios continue one run, whose evaluations are recorded ones. Neither their files nor the
requests to the stub may have a key at the end. Exits with 77 if the helper's Python is missing.
"""

import collections
import concurrent.futures
import pathlib
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
from runs_with_models import (LIMIT_S, MODELS, RUN, SKIPPED, check, proposals,  # noqa: E402
                              require_no_key, states_of)

PLAIN = evolve_run.plain_kernel(f"{runs_with_models.TASK}.forward")
MOST = 21  # kernels of a kind in a scenario


def source(kind, number):
    """A kernel with a text of its own, as a run gets it out of an answer."""
    text = f"{PLAIN}\nbroken {number};" if kind == "broken" else model_run.with_edit(
        model_run.spoiled(PLAIN), number)
    return text.strip() + "\n"


def broken(number):
    return stub_models.kernel_answer(source("broken", number), name=f"broken_{number}")


def wrong(number):
    return stub_models.kernel_answer(source("wrong", number), name=f"wrong_{number}")


def costs(runs):
    """The ledger agrees with the stub's counts. A replay costs nothing and needs neither helper nor
    key."""
    rules = [{"status": 429, "headers": {"retry-after": "0"}, "times": 2},
             {"status": 500, "times": 1},
             {"status": 401, "error": "no such key", "times": 1},
             {"refusal": "I will not.", "times": 1},
             {"text": "nonsense", "times": 1},
             {"text": broken(0), "usage": None, "times": 1},
             {"text": broken(1), "finish_reason": "length", "times": 1},
             {"texts": [broken(2), wrong(3), "more nonsense", broken(4), wrong(5)]}]
    archive = runs.archive("costs", {"population": 10})
    with runs.stub("costs/stub", {"rules": rules}) as stub:
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
    runs_with_models.replay(runs.rkb, archive)


def goes_away(runs):
    """The endpoint stops in the middle. The run reports it, and continues when it is resumed. Votes
    reject half of the second generation."""
    archive = runs.archive("goes_away", {"population": 8, "max_generations": 2, "votes": "on",
                                         "gate": "rank", "evaluated": 4, "reflections": 0})
    rules = [{"contains": "FINAL VERIFICATION ANSWER", "quote": stub_models.MARK,
              "texts": [stub_models.VERDICT.format("True"), stub_models.VERDICT.format("False")]},
             {"texts": [wrong(number) for number in range(20)], "delay_s": 1}]
    with runs.stub("goes_away/stub", {"rules": rules, "exit_after": 3}) as stub:
        reason = runs.resume(archive, stub)
    check("8 questions in a row gave no kernel" in reason, reason)
    before = proposals(archive)
    check([row["reason_class"] for row in before] == ["no_source"] * 8, before)
    with runs.stub("goes_away/again", {"rules": rules}) as stub:
        check(runs.resume(archive, stub) == "generations", runs_with_models.ended(archive))
        check(stub.count()["requests"] == 8 * (1 + 3), stub.count())
    rows = proposals(archive)
    check(rows[:8] == before, "what was there has changed")
    reasons = collections.Counter(row["reason_class"] for row in rows[8:])
    check(reasons == {"wrong_result": 4, "outranked": 4}, reasons)


def nonsense(runs):
    """Models with invalid answers end the run, or are no longer asked in it, by the settings. The
    reason is in the summary either way, and a resumed run asks them again."""
    silent = "8 questions in a row gave no kernel"
    rules = [{"text": "Good morning.", "times": 8},
             {"texts": [broken(number) for number in range(4)]}]
    for on_failure, expected in (("stop", silent), ("go_on", f"nothing more to propose; {silent}")):
        name = f"nonsense_{on_failure}"
        archive = runs.archive(name, {"on_model_failure": on_failure, "population": 12,
                                      "side_by_side": 1})
        with runs.stub(f"{name}/stub", {"rules": rules}) as stub:
            reason = runs.resume(archive, stub)
            check(reason.startswith(expected), on_failure, reason)
            check(stub.count()["requests"] == 8, stub.count())
            reason = runs.resume(archive, stub)
            check(reason == "generations", reason)
            check(stub.count()["requests"] == 12, stub.count())
        reasons = collections.Counter(row["reason_class"] for row in proposals(archive))
        check(reasons == {"no_source": 8, "compile_error": 4}, reasons)


def overruns(runs):
    """A bill above its reservation stops the run until it is resumed, unless the settings say
    otherwise. It may be in tokens, or a cost that the endpoint itself reports. Such a cost is
    charged where it is higher."""
    bills = {"tokens": {"usage": {"output_tokens": 40000}}, "cost": {"cost": 5}}
    for bill, answer in bills.items():
        rules = [{"text": broken(0), "times": 1, **answer},
                 {"texts": [broken(number) for number in range(1, 12)]}]
        for on_overrun in ("stop", "go_on"):
            overrun(runs, f"overrun_{bill}_{on_overrun}", rules, on_overrun)
    calls = stub_models.calls_of(runs.scratch / "overrun_cost_stop" / "archive")
    check(calls[0]["charged_micro_usd"] == 5000000, calls[0])
    archive = runs.archive("cost", {"population": 1, "models": MODELS[:1]})
    with runs.stub("cost/stub", {"default": {"text": broken(0), "cost": 0.05}}) as stub:
        runs.resume(archive, stub)
    call, = stub_models.calls_of(archive)
    check((call["state"], call["charged_micro_usd"]) == ("charged", 50000), call)


def overrun(runs, name, rules, on_overrun):
    """One run of overruns(), which is resumed where the bill has stopped it."""
    archive = runs.archive(name, {"on_overrun": on_overrun, "population": 4, "side_by_side": 1,
                                  "models": MODELS[:1]})
    all_asked = {"overrun": 1, "charged": 3}
    with runs.stub(f"{name}/stub", {"rules": rules}) as stub:
        reason = runs.resume(archive, stub)
        states = states_of(stub_models.calls_of(archive))
        if on_overrun == "stop":
            check("had been reserved" in reason, name, reason)
            check(states == {"overrun": 1}, name, states)
            reason = runs.resume(archive, stub)
            states = states_of(stub_models.calls_of(archive))
        check(reason == "generations", name, reason)
        check(states == all_asked, name, states)


def kill(runs):
    """After a kill among questions, no answered question is asked again."""
    archive = runs.archive("kill", {"population": 6})
    rules = [{"text": broken(0), "times": 2}, {"texts": [broken(i) for i in range(1, 9)],
                                               "delay_s": 8, "times": 4},
             {"texts": [broken(i) for i in range(10, 20)]}]
    with runs.stub("kill/stub", {"rules": rules}) as stub:
        process = runs.start(archive, ["--resume", RUN, "--max-usd", "100"], stub.environment())
        deadline = time.monotonic() + LIMIT_S
        while states_of(stub_models.calls_of(archive)) != {"charged": 2, "reserved": 4}:
            check(time.monotonic() < deadline, states_of(stub_models.calls_of(archive)))
            time.sleep(0.1)
        time.sleep(1)  # meanwhile answers that have come are stored
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


# The longest scenarios come first. They mostly wait for answers and workers, so some run at a time.
SCENARIOS = (overruns, goes_away, costs, nonsense, kill)
AT_A_TIME = 3


def main():
    build, scratch = (pathlib.Path(path).resolve() for path in sys.argv[1:3])
    if runs_with_models.lacks_python(build):
        return SKIPPED
    runs = runs_with_models.Runs(build, scratch, {
        kind: [source(kind, number) for number in range(MOST)] for kind in ("broken", "wrong")})

    def passes(scenario):
        began = time.monotonic()
        scenario(runs)
        print(f"{scenario.__name__}: as it should be, {time.monotonic() - began:.0f} s", flush=True)

    wanted = sys.argv[3:] or [scenario.__name__ for scenario in SCENARIOS]
    with concurrent.futures.ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(passes, [each for each in SCENARIOS if each.__name__ in wanted]))
    require_no_key(scratch)
    return 0


if __name__ == "__main__":
    sys.exit(own_session.in_own_session(main))
