"""The helper's results for answers over the wire format of chat completions."""

import concurrent.futures

import pytest
from helper import Helper

WIRE = "openai"
AT_ONCE = {"retry-after": "0"}
# End tags without start tags, bytes that JSON escapes, and no line feed at the end.
WRONG_TAGS = ("</cuda><name>x\ty\u0000\u2028 \U0001f600 \"\\</nam>\r\n"
              "<cuda>int main() { return 1 < 2; }")
SCENARIOS = {
    "success": {"models": ["gpt-4.1", "o3"], "default": {"text": "hello $count"}},
    "rate": {"rules": [{"times": 1, "status": 429, "headers": {"retry-after": "0.3"}}],
             "default": {"text": "later"}},
    "quota": {"default": {"status": 429, "error": {"message": "pay",
                                                   "code": "insufficient_quota"}}},
    "far": {"default": {"status": 429, "headers": {"retry-after": "86400"}}},
    "broken": {"default": {"status": 500, "headers": AT_ONCE, "error": "all is lost"}},
    "hang": {"default": {"hang": True}},
    "truncated": {"rules": [{"times": 1, "truncate": True, "text": "abcdef", "headers": AT_ONCE}],
                  "default": {"text": "whole"}},
    "length": {"default": {"text": "cut off he", "finish_reason": "length"}},
    "refusal": {"default": {"refusal": "I will not."}},
    "filter": {"default": {"text": "", "finish_reason": "content_filter"}},
    "silent": {"default": {"text": "no usage", "usage": None}},
    "tags": {"default": {"text": WRONG_TAGS, "pieces": 7}},
    "endless": {"default": {"text": "abc", "endless": True, "chunk_delay_s": 0.05,
                            "running_usage": True}},
    "slow": {"default": {"text": "abcdefgh", "pieces": 8, "chunk_delay_s": 0.1,
                         "running_usage": True}},
    "huge": {"default": {"text": "\u0000" * 100_000, "endless": True, "pieces": 1}},
    "eight": {"default": {"text": "$prompt", "delay_s": 0.3}},
    "picky": {"default": {"text": "fine",
                          "unsupported": ["response_format", "max_completion_tokens"]}},
    "strict": {"models": ["gpt-4.1", "gpt-6.1-sol"],
               "default": {"status": 404, "error": "The model does not exist"}},
    "cost": {"default": {"text": "dear", "cost": 0.0123,
                         "usage": {"input_tokens": 1000, "output_tokens": 100}}},
    "cached": {"default": {"text": "x", "usage": {"input_tokens": 1000, "cached_input_tokens": 600,
                                                  "output_tokens": 200, "reasoning_tokens": 150}}},
    "apart": {"default": {"text": "x", "thoughts_apart": True, "usage": {
        "input_tokens": 10, "output_tokens": 200, "reasoning_tokens": 150}}},
    "dying": {"default": {"text": "abc", "stream_error": {"message": "gone", "code": 502},
                          "headers": AT_ONCE}},
    "breaking_off": {"rules": [{"times": 1, "truncate": True, "text": "abcdef", "cost": 0.01,
                                "running_usage": True, "headers": AT_ONCE}],
                     "default": {"text": "whole", "cost": 0.01, "running_usage": True}},
    "running_alone": {"default": {"text": "abcdef", "cost": 0.01, "running_usage": True,
                                  "unsupported": ["stream_options"]}},
    "refusing": {"default": {"refusal": "I will not.", "truncate": True, "cost": 0.01,
                             "running_usage": True}},
    "absurd": {"default": {"text": "x", "cost": 1e300, "usage": {
        "input_tokens": 4 * 10**30, "cached_input_tokens": 10**30, "cache_write_tokens": 10**30,
        "output_tokens": 10**30, "reasoning_tokens": 10**30}}},
    "negative": {"default": {"text": "x", "cost": -1, "usage": {"output_tokens": -1}}},
    "infinite": {"default": {"text": "x", "cost": float("inf"),
                             "usage": {"output_tokens": float("inf")}}},
    "prefixed": {"models": ["models/gemini-3.8-flash"]},
    "redirect": {"default": {"status": 302, "headers": {"location": "http://127.0.0.1:9/v1"}}},
    "refused": {"default": {"text": "never"}},
    "local": {"default": {"text": "from here"}},
    "down": {"default": {"status": 503, "headers": AT_ONCE}},
}


def statuses(answer):
    return [attempt["status"] for attempt in answer["ended"]]


def assert_reservation_is_charged(ended):
    """The cost of an attempt is unknown."""
    assert ended["billable"]
    assert (ended["usage"], ended["micro_usd"], ended["reported_micro_usd"]) == (None, None, None)


def test_success(helper, stubs):
    answer = helper.ask("success/gpt-4.1", "Say hello.", temperature=0.5)
    assert (answer["event"], answer["outcome"], answer["text"]) == ("answer", "ok", "hello 1")
    assert (answer["finish_reason"], answer["ignored"]) == ("stop", [])
    [attempt], [ended] = answer["announced"], answer["ended"]
    assert (attempt["model"], attempt["attempt"]) == ("success/gpt-4.1", 1)
    assert attempt["host"] in stubs["success"].url
    assert ended["usage"] == {"input_tokens": 3, "cached_input_tokens": 0, "cache_write_tokens": 0,
                              "output_tokens": 2, "reasoning_tokens": 0}
    # 2 dollars a million input tokens and 8 a million output tokens.
    assert (ended["micro_usd"], ended["reported_micro_usd"]) == (2 * 3 + 8 * 2, None)
    assert ended["billable"] and ended["retry_in_s"] is None
    [request] = stubs["success"].requests
    assert request["body"]["temperature"] == 0.5
    assert request["body"]["max_completion_tokens"] == 8192
    assert attempt["input_tokens"] >= int(request["headers"]["Content-Length"])
    assert attempt["micro_usd"] == 2 * attempt["input_tokens"] + 8 * 8192
    assert attempt["price"]["source"] == "genai-prices 0.2.3"


def test_nothing_is_sent_unless_granted(helper, stubs):
    answer = helper.ask("refused/gpt-4.1", grants=lambda attempt: False)
    assert (answer["outcome"], answer["text"]) == ("not_granted", "")
    [ended] = answer["ended"]
    assert (ended["status"], ended["billable"], ended["micro_usd"]) == ("not_granted", False, None)
    assert stubs["refused"].count()["requests"] == 0


def test_a_second_attempt_must_be_granted_too(helper, stubs):
    answer = helper.ask("broken/gpt-4.1", grants=lambda attempt: attempt == 1)
    assert statuses(answer) == ["server_error", "not_granted"]
    assert stubs["broken"].count()["requests"] == 1


def test_rate_limit_is_waited_for(helper, stubs):
    answer = helper.ask("rate/gpt-4.1")
    assert (answer["outcome"], answer["text"]) == ("ok", "later")
    assert statuses(answer) == ["rate_limited", "ok"]
    first = answer["ended"][0]
    assert 0.3 <= first["retry_in_s"] <= 0.3 * 1.25
    assert (first["billable"], first["micro_usd"], first["usage"]) == (False, None, None)
    assert stubs["rate"].count()["by_status"] == {"429": 1, "200": 1}


@pytest.mark.parametrize("name", ["quota", "far"])
def test_no_retry_of_a_hopeless_rate_limit(helper, name):
    answer = helper.ask(f"{name}/gpt-4.1")
    assert (answer["outcome"], statuses(answer)) == ("error", ["rate_limited"])


def test_server_error_ends_after_four_attempts(helper, stubs):
    before = stubs["broken"].count()["requests"]
    answer = helper.ask("broken/gpt-4.1")
    assert (answer["outcome"], statuses(answer)) == ("error", ["server_error"] * 4)
    assert "500: all is lost" in answer["message"]
    assert stubs["broken"].count()["requests"] == before + 4


def test_breaker_stops_sending_to_a_host_that_is_down(helper, stubs):
    assert statuses(helper.ask("down/gpt-4.1")) == ["overloaded"] * 4
    helper.ask("down/gpt-4.1", grants=lambda attempt: attempt == 1)
    call = helper.begin_ask("down/gpt-4.1")
    attempt = helper.next_event(call)
    helper.send(op="leave", id=call, attempt=attempt["attempt"], granted=True)
    ended = helper.next_event(call)
    assert (ended["status"], ended["billable"], ended["micro_usd"]) == ("circuit_open", False,
                                                                         None)
    assert 0 < ended["retry_in_s"] <= 20 * 1.25
    assert stubs["down"].count()["requests"] == 5


def test_hang_ends_with_the_timeout(helper):
    answer = helper.ask("hang/gpt-4.1", timeout_s=0.3, grants=lambda attempt: attempt == 1)
    first = answer["ended"][0]
    assert (first["status"], first["billable"], first["micro_usd"]) == ("timeout", True, None)
    assert first["seconds"] < 10


def test_stream_that_never_ends_is_stopped(helper, stubs):
    answer = helper.ask("endless/gpt-4.1", timeout_s=0.4, grants=lambda attempt: attempt == 1)
    assert statuses(answer)[0] == "timeout"
    # It has repeatedly reported the cost of a part of it.
    assert_reservation_is_charged(answer["ended"][0])
    assert stubs["endless"].count()["by_status"] == {"closed": 1}


def test_slow_stream_that_ends_is_whole(helper):
    answer = helper.ask("slow/gpt-4.1")
    assert (answer["outcome"], answer["text"]) == ("ok", "abcdefgh")
    [ended] = answer["ended"]
    assert ended["status"] == "ok" and 0.8 <= ended["seconds"] < 10
    assert (ended["usage"]["output_tokens"], ended["micro_usd"]) == (2, 2 * 3 + 8 * 2)


def test_answer_beyond_all_limits_is_cut_off(helper):
    answer = helper.ask("huge/gpt-4.1")
    assert (answer["outcome"], statuses(answer)) == ("error", ["truncated_body"])
    assert set(answer["text"]) == {"\0"} and 1 << 20 < len(answer["text"]) < 3 << 20
    assert max(map(len, helper.lines)) < 16 << 20


def test_truncated_body_is_asked_for_again(helper):
    answer = helper.ask("truncated/gpt-4.1")
    assert statuses(answer) == ["truncated_body", "ok"]
    assert answer["ended"][0]["billable"] and answer["ended"][0]["usage"] is None
    assert answer["text"] == "whole"


def test_usage_of_a_part_of_the_answer_is_none(helper):
    answer = helper.ask("breaking_off/gpt-4.1")
    assert (statuses(answer), answer["text"]) == (["truncated_body", "ok"], "whole")
    broken, whole = answer["ended"]
    assert_reservation_is_charged(broken)
    assert (whole["usage"]["output_tokens"], whole["reported_micro_usd"]) == (2, 10_000)


def test_usage_of_a_part_of_a_refusal_is_none(helper):
    answer = helper.ask("refusing/gpt-4.1", grants=lambda attempt: attempt == 1)
    assert statuses(answer) == ["truncated_body", "not_granted"]
    assert_reservation_is_charged(answer["ended"][0])


def test_usage_that_comes_before_the_end_alone_is_none(helper):
    answer = helper.ask("running_alone/gpt-4.1")
    assert (statuses(answer), answer["text"]) == (["bad_request", "ok"], "abcdef")
    assert_reservation_is_charged(answer["ended"][1])


def test_error_within_the_stream(helper):
    answer = helper.ask("dying/gpt-4.1", grants=lambda attempt: attempt == 1)
    assert statuses(answer)[0] == "server_error"
    assert "gone" in answer["ended"][0]["message"]


def test_output_limit(helper):
    answer = helper.ask("length/gpt-4.1")
    assert (answer["outcome"], answer["text"]) == ("length", "cut off he")


@pytest.mark.parametrize("name, text", [("refusal", "I will not."), ("filter", "")])
def test_refusal(helper, name, text):
    answer = helper.ask(f"{name}/gpt-4.1")
    assert (answer["outcome"], answer["text"]) == ("refusal", text)
    assert answer["ended"][0]["usage"] is not None


def test_usage_that_is_not_reported_is_null(helper):
    answer = helper.ask("silent/gpt-4.1")
    [ended] = answer["ended"]
    assert (answer["outcome"], ended["usage"], ended["micro_usd"]) == ("ok", None, None)
    assert ended["billable"]


def test_text_comes_through_unharmed(helper):
    assert helper.ask("tags/gpt-4.1")["text"] == WRONG_TAGS


def test_eight_at_once(helper, stubs):
    prompts = [f"prompt {number}" for number in range(8)]
    calls = [helper.begin_ask("eight/gpt-4.1", prompt) for prompt in prompts]
    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        assert [answer["text"] for answer in pool.map(helper.end_ask, calls)] == prompts
    assert stubs["eight"].count()["most_at_once"] == 8


def test_parameters_that_an_endpoint_rejects_are_dropped(helper, stubs):
    settings = {"schema": {"type": "object"}, "temperature": 0}
    answer = helper.ask("picky/gpt-4.1", **settings)
    assert (answer["outcome"], answer["ignored"]) == ("ok", ["schema"])
    assert statuses(answer) == ["bad_request", "bad_request", "ok"]
    assert "without response_format" in answer["ended"][0]["message"]
    last = stubs["picky"].requests[-1]["body"]
    assert last["max_tokens"] == 8192 and last["temperature"] == 0
    # The refusal is remembered, and no further request is wasted on it.
    assert statuses(helper.ask("picky/gpt-4.1", **settings)) == ["ok"]


@pytest.mark.parametrize("name, settings, sent, ignored", [
    ("o3", {"effort": "high"}, {"reasoning_effort": "high"}, ["temperature"]),
    ("gpt-4.1", {"effort": "high"}, {"temperature": 0.5}, ["effort"]),
    ("gpt-6.1-sol", {"effort": "low", "schema": {"type": "object"}},
     {"reasoning_effort": "low", "response_format": {"type": "json_schema", "json_schema": {
         "name": "answer", "schema": {"type": "object"}, "strict": True}}}, ["temperature"]),
])
def test_settings_go_by_the_table_of_models(helper, stubs, name, settings, sent, ignored):
    answer = helper.ask(f"local/{name}", temperature=0.5, **settings)
    assert (answer["outcome"], answer["ignored"]) == ("ok", ignored)
    body = stubs["local"].requests[-1]["body"]
    usual = {"model": name, "messages": [{"role": "user", "content": "Say hello."}],
             "stream": True, "stream_options": {"include_usage": True},
             "service_tier": "default", "max_completion_tokens": 8192}
    assert body == usual | sent


def test_members_of_a_schema_stay_in_their_order(helper, stubs):
    # Models write them in that order, so the thoughts come before the decision.
    properties = {name: {"type": "string"} for name in ("analysis", "mark", "class", "valid")}
    helper.ask("local/gpt-6.1-sol", schema={"type": "object", "properties": properties})
    sent = stubs["local"].requests[-1]["body"]["response_format"]["json_schema"]["schema"]
    assert list(sent["properties"]) == list(properties)


def test_unknown_model_names_the_offered_ones(helper):
    answer = helper.ask("strict/gpt-99")
    assert (answer["outcome"], statuses(answer)) == ("error", ["unknown_model"])
    assert "it offers gpt-4.1, gpt-6.1-sol" in answer["message"]


def test_reported_cost_stands_beside_that_of_the_list(helper):
    [ended] = helper.ask("cost/gpt-4.1")["ended"]
    assert (ended["micro_usd"], ended["reported_micro_usd"]) == (2 * 1000 + 8 * 100, 12_300)


def test_reported_cost_serves_without_a_price(helper):
    [ended] = helper.ask("cost/nobody-knows-it")["ended"]
    assert (ended["micro_usd"], ended["reported_micro_usd"]) == (12_300, 12_300)


def test_absurd_figures_stay_integers_that_rkb_takes(helper):
    [ended] = helper.ask("absurd/gpt-4.1")["ended"]
    most = 10**12
    assert ended["usage"] == {"input_tokens": most, "cached_input_tokens": most,
                              "cache_write_tokens": 0, "output_tokens": most,
                              "reasoning_tokens": most}
    assert (ended["micro_usd"], ended["reported_micro_usd"]) == (most, most)


@pytest.mark.parametrize("name", ["negative", "infinite"])
def test_impossible_figures_are_none(helper, name):
    [ended] = helper.ask(f"{name}/gpt-4.1")["ended"]
    assert ended["status"] == "ok"
    assert_reservation_is_charged(ended)


def test_cached_input_costs_less(helper):
    [ended] = helper.ask("cached/gpt-4.1")["ended"]
    assert ended["micro_usd"] == 2 * 400 + 600 // 2 + 8 * 200
    assert ended["usage"]["reasoning_tokens"] == 150


def test_thoughts_are_output_wherever_they_are_counted(helper):
    [ended] = helper.ask("apart/gpt-4.1")["ended"]
    assert ended["usage"]["output_tokens"] == 200
    assert ended["micro_usd"] == 2 * 10 + 8 * 200


def test_model_without_a_price(helper):
    answer = helper.ask("local/nobody-knows-it")
    assert (answer["outcome"], answer["announced"][0]["micro_usd"]) == ("ok", None)
    assert answer["ended"][0]["micro_usd"] is None
    assert answer["ended"][0]["usage"] is not None


def test_redirect_is_not_followed(helper, stubs):
    answer = helper.ask("redirect/gpt-4.1")
    assert (answer["outcome"], statuses(answer)) == ("error", ["bad_request"])
    assert "redirects are never followed" in answer["message"]
    assert stubs["redirect"].count()["requests"] == 1


def test_models(helper):
    assert helper.request("models", provider="success")["names"] == ["gpt-4.1", "o3"]


@pytest.mark.parametrize("like, expected", [("google", "gemini-3.8-flash"),
                                            ("openai", "models/gemini-3.8-flash")])
def test_prefix_of_listed_names_goes_by_the_table_of_providers(stubs, like, expected):
    helper = Helper({"mine": {"base_url": f"{stubs['prefixed'].url}/v1", "like": like}})
    assert helper.request("models", provider="mine")["names"] == [expected]
    assert helper.close() == 0
