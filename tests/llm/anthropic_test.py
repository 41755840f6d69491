"""Differences over the wire format of Anthropic's Messages."""

import pytest

WIRE = "anthropic"
SCENARIOS = {
    "success": {"models": ["claude-opus-5-5"], "default": {
        "text": "hello", "pieces": 3,
        "usage": {"input_tokens": 1000, "cached_input_tokens": 600, "cache_write_tokens": 100,
                  "output_tokens": 200, "reasoning_tokens": 50}}},
    "length": {"default": {"text": "cut", "finish_reason": "max_tokens"}},
    "refusal": {"default": {"refusal": "no"}},
    "silent": {"default": {"text": "x", "usage": None}},
    "busy": {"rules": [{"times": 1, "status": 529, "headers": {"retry-after": "0"},
                        "error": {"type": "overloaded_error", "message": "Overloaded"}}],
             "default": {"text": "at last"}},
    "busy_inside": {"rules": [{"times": 1, "text": "ab", "stream_error": {
        "type": "overloaded_error", "message": "Overloaded"}}], "default": {"text": "at last"}},
    "truncated": {"default": {"text": "abcdef", "truncate": True, "running_usage": True}},
    "endless": {"default": {"text": "abc", "endless": True, "chunk_delay_s": 0.05,
                            "running_usage": True}},
    "absurd": {"default": {"text": "x", "usage": {
        "input_tokens": 4 * 10**30, "cached_input_tokens": 10**30, "cache_write_tokens": 10**30,
        "output_tokens": 10**30}}},
    "negative": {"default": {"text": "x", "usage": {"output_tokens": -1}}},
    "rejecting": {"default": {"text": "fine", "unsupported": ["temperature", "format"]}},
    "lacking": {"models": ["claude-haiku-5-5"], "default": {
        "status": 404, "error": {"type": "not_found_error", "message": "model: claude-3-7"}}},
    "redirect": {"default": {"status": 307, "headers": {"location": "http://127.0.0.1:9/"}}},
    "hang": {"default": {"hang": True}},
}


def statuses(answer):
    return [attempt["status"] for attempt in answer["ended"]]


def assert_reservation_is_charged(ended):
    """The cost of an attempt is unknown."""
    assert ended["billable"]
    assert (ended["usage"], ended["micro_usd"], ended["reported_micro_usd"]) == (None, None, None)


def test_usage_adds_up_the_parts_of_the_input(helper, stubs):
    answer = helper.ask("success/claude-opus-5-5", messages=[
        {"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say hello."}])
    assert (answer["outcome"], answer["text"], answer["finish_reason"]) == ("ok", "hello",
                                                                            "end_turn")
    [ended] = answer["ended"]
    assert ended["usage"] == {"input_tokens": 1000, "cached_input_tokens": 600,
                              "cache_write_tokens": 100, "output_tokens": 200,
                              "reasoning_tokens": 50}
    # 4 dollars a million tokens of input, 0.2 from the cache, 5 into it, 20 of output.
    assert ended["micro_usd"] == 4 * 300 + 120 + 5 * 100 + 20 * 200
    body = stubs["success"].requests[0]["body"]
    assert body["system"] == "Be brief."
    assert body["messages"] == [{"role": "user", "content": "Say hello."}]
    # Input that is written to the cache costs more than other input.
    [attempt] = answer["announced"]
    assert attempt["micro_usd"] == 5 * attempt["input_tokens"] + 20 * 8192


def test_output_limit(helper):
    answer = helper.ask("length/claude-opus-5-5")
    assert (answer["outcome"], answer["text"]) == ("length", "cut")


def test_refusal(helper):
    answer = helper.ask("refusal/claude-opus-5-5")
    assert (answer["outcome"], answer["finish_reason"]) == ("refusal", "refusal")


def test_usage_that_is_not_reported_is_null(helper):
    [ended] = helper.ask("silent/claude-opus-5-5")["ended"]
    assert (ended["status"], ended["usage"], ended["micro_usd"]) == ("ok", None, None)


def test_overload_is_waited_for(helper):
    answer = helper.ask("busy/claude-opus-5-5")
    assert (statuses(answer), answer["text"]) == (["overloaded", "ok"], "at last")
    assert "Overloaded" in answer["ended"][0]["message"]


def test_overload_within_the_stream(helper):
    answer = helper.ask("busy_inside/claude-opus-5-5")
    assert (statuses(answer), answer["text"]) == (["overloaded", "ok"], "at last")
    assert_reservation_is_charged(answer["ended"][0])


@pytest.mark.parametrize("name, status, timeout_s",
                         [("truncated", "truncated_body", 60), ("endless", "timeout", 0.4)])
def test_usage_of_a_part_of_the_answer_is_none(helper, name, status, timeout_s):
    answer = helper.ask(f"{name}/claude-opus-5-5", timeout_s=timeout_s,
                        grants=lambda attempt: attempt == 1)
    assert statuses(answer) == [status, "not_granted"]
    assert_reservation_is_charged(answer["ended"][0])


def test_absurd_figures_stay_integers_that_rkb_takes(helper):
    [ended] = helper.ask("absurd/claude-opus-5-5")["ended"]
    assert (ended["usage"]["input_tokens"], ended["usage"]["output_tokens"]) == (10**12, 10**12)
    assert ended["micro_usd"] == 10**12


def test_impossible_figures_are_none(helper):
    [ended] = helper.ask("negative/claude-opus-5-5")["ended"]
    assert ended["status"] == "ok"
    assert_reservation_is_charged(ended)


def test_hang_ends_with_the_timeout(helper):
    answer = helper.ask("hang/claude-opus-5-5", timeout_s=0.3, grants=lambda attempt: attempt == 1)
    assert statuses(answer)[0] == "timeout"


def test_effort_is_a_budget_of_thinking(helper, stubs):
    answer = helper.ask("success/claude-3-7-sonnet-20250219", effort="high", temperature=1)
    body = stubs["success"].requests[-1]["body"]
    assert body["thinking"] == {"type": "enabled", "budget_tokens": 4096}
    assert body["max_tokens"] == 8192 and "temperature" not in body
    assert answer["ignored"] == []


def test_budget_that_leaves_no_room_for_an_answer_is_ignored(helper, stubs):
    answer = helper.ask("success/claude-3-7-sonnet-20250219", effort="low", max_output_tokens=2000,
                        temperature=0.5)
    body = stubs["success"].requests[-1]["body"]
    assert "thinking" not in body and body["temperature"] == 0.5
    assert answer["ignored"] == ["effort"]


def test_newer_models_take_an_effort_and_no_temperature(helper, stubs):
    answer = helper.ask("success/claude-opus-5-5", effort="low", temperature=0,
                        schema={"type": "object"})
    body = stubs["success"].requests[-1]["body"]
    assert body["thinking"] == {"type": "adaptive"}
    assert body["output_config"] == {"effort": "low", "format": {
        "type": "json_schema", "schema": {"type": "object"}}}
    assert answer["ignored"] == ["temperature"]


def test_parameters_that_an_endpoint_rejects_are_dropped(helper):
    answer = helper.ask("rejecting/claude-sonnet-4-6", temperature=0, schema={"type": "object"})
    assert (answer["outcome"], answer["ignored"]) == ("ok", ["schema", "temperature"])
    assert statuses(answer) == ["bad_request", "bad_request", "ok"]


def test_retired_model_is_named_with_its_replacement(helper):
    answer = helper.ask("lacking/claude-3-7-sonnet-20250219")
    assert statuses(answer) == ["unknown_model"]
    assert "anthropic/claude-sonnet-4-6 replaces" in answer["message"]
    assert "it offers claude-haiku-5-5" in answer["message"]


def test_redirect_is_not_followed(helper, stubs):
    answer = helper.ask("redirect/claude-opus-5-5")
    assert statuses(answer) == ["bad_request"]
    assert "redirects are never followed" in answer["message"]


def test_nothing_is_sent_unless_granted(helper, stubs):
    before = stubs["success"].count()["requests"]
    answer = helper.ask("success/claude-opus-5-5", grants=lambda attempt: False)
    assert answer["outcome"] == "not_granted"
    assert stubs["success"].count()["requests"] == before


def test_models(helper):
    assert helper.request("models", provider="success")["names"] == ["claude-opus-5-5"]
