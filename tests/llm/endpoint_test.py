"""Answers of endpoints in place of the requested stream, over both wire formats."""

import json

import pytest
from helper import Helper, Stub
from robust_kbench_llm.room import room_of

PAGE = "<!DOCTYPE html>\n<html><head><title>Sign in to\n Acme</title></head><body>...</body></html>"
ERROR = {"message": "the backend is gone", "code": 502}
AT_ONCE = {"retry-after": "0"}
SCENARIOS = {
    "whole": {"default": {"text": "hello", "whole": True, "usage": {"output_tokens": 7}}},
    "marked": {"default": {"text": "hello", "whole": True, "mark": True}},
    "marked_stream": {"default": {"text": "hello", "mark": True}},
    "page": {"default": {"body": PAGE, "headers": {"content-type": "text/html"}}},
    "line": {"default": {"body": "OK"}},
    "cut_off": {"default": {"body": '{"choices": [{"message": {"con'}},
    "error_object": {"default": {"body": json.dumps({"error": ERROR})}},
    "no_credit": {"default": {"body": json.dumps({"error": {"message": "pay", "code": 402}})}},
    "error_event": {"default": {"text": "", "stream_error": ERROR}},
    "error_after_thoughts": {"default": {"text": "", "reasoning": "hm", "stream_error": ERROR}},
    "parts": {"default": {"text": "hello", "parts": True}},
    "whole_parts": {"default": {"text": "hello", "parts": True, "whole": True}},
    "gemma": {"default": {"text": "hello", "no_system": "System role not supported"}},
    "o1": {"default": {"text": "hello", "no_system":
                       "Unsupported value: 'messages[0].role' does not support 'system' with this "
                       "model."}},
    "template": {"default": {"text": "hello", "no_system":
                             "Conversation roles must alternate user/assistant/user/..."}},
    "small": {"default": {"text": "hello", "context": 4096}},
    "never_fits": {"default": {"status": 400, "error": "maximum context length is 8192 tokens"}},
    "silent": {"default": {"text": "", "reasoning": "Let me think.", "finish_reason": "length"}},
    "whole_silent": {"default": {"text": "", "reasoning": "Let me think.", "whole": True}},
}
MODELS = {"openai": "gpt-4.1", "anthropic": "claude-opus-5-5"}
SYSTEM = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Say hello."}]


@pytest.fixture(scope="module", params=MODELS)
def ask(request):
    """Asks the stub of a scenario over one of the wires. `ask.requests` are those of a stub."""
    wire = request.param
    stubs = {name: Stub(scenario) for name, scenario in SCENARIOS.items()}
    path = "/v1" if wire == "openai" else ""
    helper = Helper({name: {"base_url": stub.url + path, "like": wire}
                     for name, stub in stubs.items()})

    def ask(name, **members):
        return helper.ask(f"{name}/{MODELS[wire]}", **members)

    ask.wire = wire
    ask.requests = lambda name: stubs[name].requests
    yield ask
    assert helper.close() == 0
    for stub in stubs.values():
        stub.close()


def statuses(answer):
    return [attempt["status"] for attempt in answer["ended"]]


@pytest.mark.parametrize("name", ["whole", "marked", "marked_stream", "parts", "whole_parts"])
def test_an_answer_in_another_form_is_an_answer(ask, name):
    answer = ask(name)
    assert (answer["outcome"], answer["text"], answer["message"]) == ("ok", "hello", "")
    assert statuses(answer) == ["ok"]
    assert answer["ended"][0]["usage"]["output_tokens"] == (7 if name == "whole" else 2)


@pytest.mark.parametrize("name, shown", [("page", "a web page 'Sign in to Acme'"), ("line", "OK")])
def test_an_answer_that_no_model_has_written_is_not_retried(ask, name, shown):
    answer = ask(name)
    assert (answer["outcome"], statuses(answer)) == ("error", ["bad_request"])
    assert f"answered 200 with {shown}" in answer["message"]
    assert "check base_url" in answer["message"]
    assert not answer["ended"][0]["billable"]


def test_a_part_of_an_answer_is_charged_its_reservation(ask):
    answer = ask("cut_off", grants=lambda attempt: attempt == 1)
    assert statuses(answer) == ["truncated_body", "not_granted"]
    assert answer["ended"][0]["billable"] and answer["ended"][0]["at_most"] is None


@pytest.mark.parametrize("name", ["error_object", "error_event"])
def test_an_error_before_any_output_costs_the_input_at_most(ask, name):
    answer = ask(name, grants=lambda attempt: attempt == 1)
    assert statuses(answer) == ["server_error", "not_granted"]
    [attempt, _], ended = answer["announced"], answer["ended"][0]
    assert "the backend is gone" in ended["message"]
    assert ended["billable"] and ended["usage"] is None
    per_token = 2 if ask.wire == "openai" else 5
    assert ended["at_most"] == {"input_tokens": attempt["input_tokens"], "output_tokens": 0,
                                "micro_usd": per_token * attempt["input_tokens"]}


def test_an_error_after_thoughts_costs_the_reservation(ask):
    ended = ask("error_after_thoughts", grants=lambda attempt: attempt == 1)["ended"][0]
    assert ended["billable"] and ended["at_most"] is None


def test_an_error_in_an_answer_counts_by_its_code(ask):
    answer = ask("no_credit")
    assert statuses(answer) == ["unauthorized"]
    assert "the account has no credit" in answer["message"]


@pytest.mark.parametrize("name", ["gemma", "o1", "template"])
def test_a_system_role_that_is_refused_goes_into_the_message_of_the_user(ask, name):
    answer = ask(name, messages=SYSTEM)
    assert (answer["outcome"], statuses(answer)) == ("ok", ["bad_request", "ok"])
    body = ask.requests(name)[-1]["body"]
    assert body["messages"] == [{"role": "user", "content": "Be brief.\n\nSay hello."}]
    assert "system" not in body
    assert "which goes into the user's" in answer["notes"][0]
    assert statuses(ask(name, messages=SYSTEM)) == ["ok"], "it is remembered"


def test_a_context_that_is_too_small_lowers_the_limit_of_output_once(ask):
    answer = ask("small", prompt="x" * 4000, output_setting="verifier_output_tokens")
    assert (answer["outcome"], statuses(answer)) == ("ok", ["bad_request", "ok"])
    assert "verifier_output_tokens lowered from 8192 to 3096" in answer["ended"][0]["message"]
    assert answer["notes"] == ["it is asked with verifier_output_tokens lowered from 8192 to 3096, "
                               "since its context is too small"]
    first, second = answer["announced"]
    assert (first["output_tokens"], second["output_tokens"]) == (8192, 3096)
    assert statuses(ask("small", prompt="x" * 4000)) == ["ok"], "it is remembered"


def test_a_prompt_that_does_not_fit_names_the_settings(ask):
    answer = ask("small", prompt="x" * 4 * 4000, output_setting="max_output_tokens")
    assert (answer["outcome"], statuses(answer)) == ("error", ["bad_request"])
    assert "lower max_output_tokens, show less (context_size)" in answer["message"]


def test_an_endpoint_that_refuses_every_request_is_asked_twice(ask):
    answer = ask("never_fits", output_setting="max_output_tokens")
    assert (answer["outcome"], statuses(answer)) == ("error", ["bad_request", "bad_request"])
    assert "lower max_output_tokens" in answer["message"]


@pytest.mark.parametrize("name", ["silent", "whole_silent"])
def test_thoughts_without_an_answer_are_named(ask, name):
    answer = ask(name, output_setting="max_output_tokens")
    assert answer["text"] == ""
    assert answer["message"].startswith("the content was empty, and 13 characters of reasoning")
    assert "raise max_output_tokens (8192) or lower the effort" in answer["message"]


@pytest.mark.parametrize("text, context, output, taken", [
    ("This model's maximum context length is 8192 tokens. However, you requested 9000 tokens (808 "
     "in the messages, 8192 in the completion).", 8192, None, 808),
    ("'max_tokens' is too large: 8192. This model's maximum context length is 8192 tokens and your "
     "request has 1234 input tokens (8192 > 8192 - 1234).", 8192, None, 1234),
    ("maximum context length is 8192 tokens. However, you requested 8192 output tokens and your "
     "prompt contains at least 1 input tokens", 8192, None, None),
    ("request (9000 tokens) exceeds the available context size (8192 tokens), try increasing it",
     8192, None, 9000),
    ("input length and `max_tokens` exceed context limit: 190000 + 20000 > 200000", 200000, None,
     190000),
    ("max_tokens: 10000 > 8192, which is the maximum allowed number of output tokens for any", None,
     8192, None),
    ("max_tokens is too large: 100000. This model supports at most 16384 completion tokens", None,
     16384, None),
    ("the request exceeds the available context size", None, None, None),
])
def test_limits_of_tokens_are_read_from_refusals(text, context, output, taken):
    room = room_of(text)
    assert (room.context, room.output, room.input) == (context, output, taken)


@pytest.mark.parametrize("text", ["Unsupported parameter: 'max_tokens' is not supported with this "
                                  "model. Use 'max_completion_tokens' instead.", "no such model"])
def test_other_refusals_have_no_limits_of_tokens(text):
    assert room_of(text) is None
