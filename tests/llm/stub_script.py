"""Chooses a scenario's answer (stub_server.py) to each request, and counts the served requests."""

import collections
import fnmatch
import json
import os
import re
import threading

COUNTS = ("input_tokens", "cached_input_tokens", "cache_write_tokens", "output_tokens",
          "reasoning_tokens")
BYTES_PER_TOKEN = 4
SETTLED_S = 5.0


def prompt_of(body):
    """All texts of a request for the model, as one text."""
    texts = [body["system"]] if "system" in body else []
    return "\n\n".join(texts + [message["content"] for message in body["messages"]])


class Script:
    """Chooses the answer to each request, and counts the served requests."""

    def __init__(self, scenario):
        self._scenario = scenario
        self._lock = threading.Condition()
        self._served = collections.Counter()
        self._at_once = 0
        self.requests = []
        self.models = scenario.get("models", [])
        self.count = {"requests": 0, "by_status": {}, "most_at_once": 0, "models": {}}

    def begin(self, wire, path, headers, body):
        """Records a request. Returns its number from 1 and a copy of the answer with its text."""
        with self._lock:
            self.count["requests"] += 1
            number = self.count["requests"]
            if number > self._scenario.get("exit_after", number):
                os._exit(0)
            self.requests.append({"wire": wire, "path": path, "headers": headers, "body": body,
                                  "usage": None})
            self._model(body)["requests"] += 1
            self._at_once += 1
            self.count["most_at_once"] = max(self.count["most_at_once"], self._at_once)
            index, answer = self._choose(wire, body)
            served = self._served[index]
            self._served[index] += 1
        texts = answer.get("texts") or [answer.get("text", "")]
        text = self._fill(texts[served % len(texts)], answer, body, number)
        return number, {**answer, "text": text}

    def end(self, number, status, usage=None, cost=None):
        """Records how a request ended. `usage` and `cost` are those that were reported."""
        with self._lock:
            request = self.requests[number - 1]
            request["usage"] = usage
            self._at_once -= 1
            by_status = self.count["by_status"]
            by_status[str(status)] = by_status.get(str(status), 0) + 1
            model = self._model(request["body"])
            if usage:
                model["reported"] += 1
                for name in COUNTS:
                    model[name] += usage[name]
            model["cost_usd"] += cost or 0
            self._lock.notify_all()

    def settled_count(self):
        """The counts, once no request is being served or after SETTLED_S.

        A client may have read its answer before the server has counted it.
        """
        with self._lock:
            self._lock.wait_for(lambda: self._at_once == 0, SETTLED_S)
            return json.loads(json.dumps(self.count))

    def _model(self, body):
        empty = {"requests": 0, "reported": 0, **dict.fromkeys(COUNTS, 0), "cost_usd": 0}
        return self.count["models"].setdefault(body["model"], empty)

    def _choose(self, wire, body):
        for index, rule in enumerate(self._scenario.get("rules", [])):
            if (fnmatch.fnmatchcase(body["model"], rule.get("model", "*"))
                    and rule.get("wire", wire) == wire
                    and rule.get("contains", "") in prompt_of(body)
                    and self._served[index] < rule.get("times", float("inf"))):
                return index, rule
        return None, self._scenario.get("default", {})

    @staticmethod
    def _fill(text, answer, body, number):
        prompt = prompt_of(body)
        found = re.search(answer["quote"], prompt, re.DOTALL) if "quote" in answer else None
        values = {"$count": str(number), "$prompt": prompt,
                  "$quote": found[1 if found.re.groups else 0] if found else ""}
        return re.sub(r"\$(?:count|prompt|quote)", lambda match: values[match[0]], text)


def usage_of(answer, body, text):
    """The counts that an answer reports, or None."""
    if answer.get("usage", {}) is None:
        return None
    computed = dict.fromkeys(COUNTS, 0) | {
        "input_tokens": -(-len(prompt_of(body).encode()) // BYTES_PER_TOKEN),
        "output_tokens": -(-len(text.encode()) // BYTES_PER_TOKEN)}
    return computed | answer.get("usage", {})
