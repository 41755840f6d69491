"""Plays the helper for language models (docs/llm_helper.md), with Python's standard library alone.

The name of a model decides the outcome of its questions. The prompt `environment` is rendered as
this process's environment and arguments, and `keys` as the content of the pipe.
"""

import json
import os
import sys
import threading

RESERVED = {"input_tokens": 100, "output_tokens": 50, "micro_usd": 1000, "price": {"input": 1}}
USAGE = {"input_tokens": 40, "cached_input_tokens": 8, "output_tokens": 20, "reasoning_tokens": 5}
# An endpoint may report any number, and the second amount exceeds 64 bits.
ABSURD = {**USAGE, "input_tokens": 10 ** 13}
ABSURD_COST = 10 ** 30
TWICE = {**USAGE, "input_tokens": 200, "output_tokens": 100}
lock = threading.Lock()
waiting = []  # questions to the model `pair` that are answered together


def say(**members):
    with lock:
        print(json.dumps(members), flush=True)


def attempt(request, number=1, **changed):
    say(event="attempt", id=request["id"], attempt=number, model=request["model"],
        host="stub.example", **{**RESERVED, **changed})


def ended(request, number=1, status="ok", usage=USAGE, micro_usd=300, retry_in_s=None, **more):
    say(event="attempt_ended", id=request["id"], attempt=number, status=status, seconds=0.5,
        billable=status == "ok", usage=usage, micro_usd=micro_usd, retry_in_s=retry_in_s,
        message="", **more)


def answer(request, outcome="ok", text=None, **more):
    text = "answer to " + request["messages"][-1]["content"] if text is None else text
    say(event="answer", id=request["id"], outcome=outcome, text=text, finish_reason="stop",
        ignored=["effort"], message="", **more)


def go_on(request, number):
    """The events after an attempt was granted."""
    model = request["model"].partition("/")[2]
    if model == "dies":
        os._exit(3)
    elif model == "is_silent":
        pass
    elif model == "writes_nonsense":
        print("Traceback:", flush=True)
    elif model == "writes_no_end":
        print("x" * (17 << 20), end="", flush=True)
    elif model == "counts_below_zero":
        ended(request, usage={**USAGE, "input_tokens": -1})
    elif model == "answers_twice":
        answer(request)
    elif model == "retries" and number == 1:
        ended(request, status="rate_limited", usage=None, micro_usd=None, retry_in_s=0.01)
        attempt(request, 2)
    elif model == "fails_early":
        ended(request, status="server_error", usage=None, micro_usd=None,
              at_most={"input_tokens": 100, "output_tokens": 0, "micro_usd": 200})
        answer(request, outcome="error", text="", notes=[request["output_setting"]])
    elif model == "pair":
        waiting.append(request)
        if len(waiting) == 2:
            for one in reversed(waiting):
                ended(one)
                answer(one)
    else:
        usage = {"no_usage": None, "overruns": TWICE, "bills_absurdly": ABSURD}.get(model, USAGE)
        costs = {"reports_a_cost": 900, "bills_absurdly": ABSURD_COST}
        more = {"reported_micro_usd": costs[model]} if model in costs else {}
        ended(request, number, usage=usage, micro_usd=None if usage is None else 300, **more)
        answer(request)


def render(request, keys):
    texts = {"environment": json.dumps([dict(os.environ), sys.argv]), "keys": keys}
    if request["prompt"] == "missing":
        say(event="failed", id=request["id"], reason="there is no prompt 'missing'")
        return
    text = texts.get(request["prompt"], json.dumps(request["data"]))
    say(event="rendered", id=request["id"], mark=request["call"],
        messages=[{"role": "user", "content": text}])


def main():
    descriptor = int(sys.argv[sys.argv.index("--keys-fd") + 1])
    with os.fdopen(descriptor) as pipe:
        keys = pipe.read()
    asked = {}
    for line in sys.stdin:
        request = json.loads(line)
        op = request["op"]
        if op == "open":
            say(event="opened", version=1, python="3.11", packages=request["providers"])
        elif op == "render":
            render(request, keys)
        elif op == "estimate":
            say(event="estimated", id=request["id"], usual_micro_usd=400, **RESERVED)
        elif op == "models":
            say(event="models", id=request["id"], names=["a", "b"])
        elif op == "ask":
            asked[request["id"]] = request
            unpriced = {"micro_usd": None} if request["model"].endswith("unpriced") else {}
            attempt(request, **unpriced)
        elif request["granted"]:
            go_on(asked[request["id"]], request["attempt"])
        else:
            answer(asked[request["id"]], outcome="not_granted", text="")


main()
