"""Properties of the stub, as a program of its own, on which the other tests rely."""

import json
import pathlib
import subprocess
import sys
import time
import urllib.request

import pytest
from helper import LIMIT_S, Helper


class StubProcess:
    def __init__(self, directory, scenario):
        (directory / "scenario.json").write_text(json.dumps(scenario))
        port_file = directory / "port"
        self.process = subprocess.Popen(
            [sys.executable, pathlib.Path(__file__).with_name("stub_server.py"),
             "--scenario", directory / "scenario.json", "--port-file", port_file])
        deadline = time.monotonic() + LIMIT_S
        while not port_file.exists():
            assert time.monotonic() < deadline and self.process.poll() is None
            time.sleep(0.01)
        self.url = f"http://127.0.0.1:{int(port_file.read_text())}"

    def count(self):
        with urllib.request.urlopen(f"{self.url}/count") as answer:
            return json.load(answer)


@pytest.fixture
def start(tmp_path):
    """Starts a stub that exits after three requests, and a helper that asks it."""
    stub = StubProcess(tmp_path, {
        "exit_after": 3,
        "rules": [{"model": "judge*", "quote": r"<code>(.*)</code>", "text": "it says $quote"},
                  {"contains": "twice", "texts": ["one", "two"]}],
        "default": {"text": "$prompt|$count", "usage": {"input_tokens": 10}}})
    helper = Helper({"openai": {"base_url": f"{stub.url}/v1", "key_variable": "KEY"}},
                    {"KEY": "key-of-the-stub"})
    yield stub, helper
    assert helper.close() == 0
    stub.process.kill()
    stub.process.wait()


def test_answers_and_counts(start):
    stub, helper = start
    assert helper.ask("openai/judge", "<code>int x;</code>")["text"] == "it says int x;"
    assert helper.ask("openai/gpt-4.1", "whole")["text"] == "whole|2"
    assert helper.ask("openai/gpt-4.1", "twice")["text"] == "one"
    count = stub.count()
    assert (count["requests"], count["by_status"], count["most_at_once"]) == (3, {"200": 3}, 1)
    model = count["models"]["gpt-4.1"]
    assert (model["requests"], model["reported"]) == (2, 2)
    assert (model["input_tokens"], model["output_tokens"]) == (10 + 2, 2 + 1)


def test_server_that_goes_away(start):
    stub, helper = start
    for _ in range(3):
        assert helper.ask("openai/gpt-4.1")["outcome"] == "ok"
    answer = helper.ask("openai/gpt-4.1", grants=lambda attempt: attempt < 3)
    assert [attempt["status"] for attempt in answer["ended"]] == ["connection", "connection",
                                                                  "not_granted"]
    # The first request may have reached it, the second found no server.
    assert [attempt["billable"] for attempt in answer["ended"]] == [True, False, False]
    assert stub.process.wait(LIMIT_S) == 0
