"""Repeated attempts of a call, and the number of concurrent calls to a host."""

import concurrent.futures

import pytest
from helper import Helper, Stub, providers_of
from robust_kbench_llm.hosts import FAILURES_TO_OPEN, OPEN_S, Breaker
from robust_kbench_llm.retry import pause_s
from robust_kbench_llm.transport import AttemptFailed


def pauses(status, **members):
    """The pauses after each attempt, without jitter, until there is none."""
    failure = AttemptFailed(status, "", **members)
    found = []
    while (pause := pause_s(failure, len(found) + 1, lambda: 0.0)) is not None:
        found.append(pause)
    return found


@pytest.mark.parametrize("status, expected", [
    ("rate_limited", [1, 2, 4]), ("overloaded", [1, 2, 4]), ("server_error", [1, 2, 4]),
    ("connection", [1, 2, 4]), ("circuit_open", [1, 2, 4]), ("timeout", [1]),
    ("truncated_body", [1]), ("bad_request", []), ("unauthorized", []), ("unknown_model", []),
    ("not_granted", []),
])
def test_pauses_double(status, expected):
    assert pauses(status) == expected


def test_endpoint_says_how_long():
    assert pauses("rate_limited", retry_after_s=7.0) == [7, 7, 7]
    assert pauses("rate_limited", retry_after_s=121.0) == []
    assert pauses("rate_limited", is_final=True) == []


def test_jitter_never_shortens_what_the_endpoint_asks_for():
    failure = AttemptFailed("rate_limited", "", retry_after_s=4.0)
    assert pause_s(failure, 1, lambda: 1.0) == 5.0
    assert pause_s(AttemptFailed("rate_limited", ""), 1, lambda: 1.0) == 0.75


def test_breaker_retries_a_host_with_one_request():
    now = [0.0]
    breaker = Breaker(lambda: now[0])
    for _ in range(FAILURES_TO_OPEN):
        assert breaker.allows()
        breaker.note(False)
    assert not breaker.allows() and breaker.remaining_s() == OPEN_S
    now[0] = OPEN_S
    assert breaker.allows() and not breaker.allows()
    breaker.note(True)
    assert breaker.allows() and breaker.allows()


def test_a_host_gets_limited_concurrent_calls():
    stubs = {"a": Stub({"default": {"text": "x", "delay_s": 0.1}})}
    helper = Helper(providers_of(stubs), concurrency=2)
    calls = [helper.begin_ask("a/gpt-4.1") for _ in range(5)]
    with concurrent.futures.ThreadPoolExecutor(5) as pool:
        assert {answer["outcome"] for answer in pool.map(helper.end_ask, calls)} == {"ok"}
    assert stubs["a"].count()["most_at_once"] == 2
    assert helper.close() == 0
    stubs["a"].close()
