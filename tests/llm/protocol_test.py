"""The lines between rkb and the helper, and the helper's reaction to invalid ones."""

import json
import subprocess
import sys

import pytest
from helper import ROOT, Helper

OPEN = {"op": "open", "version": 1, "providers": {}, "concurrency": 1}
USER = [{"role": "user", "content": "x"}]


def run(*lines, **environment):
    text = "".join((line if isinstance(line, str) else json.dumps(line)) + "\n" for line in lines)
    return subprocess.run([sys.executable, "-m", "robust_kbench_llm"], input=text, text=True,
                          capture_output=True, timeout=30, cwd=ROOT / "llm",
                          env={"PATH": "/usr/bin:/bin", **environment})


@pytest.fixture(scope="module")
def helper():
    helper = Helper({"mine": {"wire": "command", "command": ["true"]}})
    yield helper
    assert helper.close() == 0


def test_opened_lists_versions(helper):
    assert helper.opened["version"] == 1
    assert helper.opened["packages"]["Jinja2"] == "3.1.6"
    assert tuple(map(int, helper.opened["python"].split(".")[:2])) >= (3, 11)


def test_end_of_input_ends_the_helper():
    assert run(OPEN).returncode == 0


@pytest.mark.parametrize("line", ["no JSON", "[1]", "{}", {"op": "sing", "id": "1"}, OPEN,
                                  {"op": "ask"}])
def test_an_invalid_line_ends_the_helper(line):
    ended = run(OPEN, line)
    assert ended.returncode == 2
    assert ended.stderr.startswith("robust_kbench_llm: ") and ended.stderr.count("\n") == 1


def test_open_comes_first():
    assert run({"op": "estimate", "id": "1"}).returncode == 2


def test_other_version_is_refused():
    ended = run({**OPEN, "version": 2})
    assert ended.returncode == 2 and "version 2" in ended.stderr


@pytest.mark.parametrize("members, why", [
    ({"op": "ask"}, "`model`"),
    ({"op": "ask", "model": "gpt"}, "provider/name"),
    ({"op": "ask", "model": "nowhere/gpt"}, "no provider is called 'nowhere'; known: anthropic"),
    ({"op": "ask", "model": "mine/x", "messages": USER, "timeout_s": 1}, "`max_output_tokens`"),
    ({"op": "ask", "model": "mine/x", "messages": [], "timeout_s": 1, "max_output_tokens": 1},
     "none of a user"),
    ({"op": "ask", "model": "mine/x", "messages": USER, "timeout_s": 0, "max_output_tokens": 1},
     "above 0"),
    ({"op": "ask", "model": "mine/x", "messages": USER, "timeout_s": 1, "max_output_tokens": 1,
      "effort": "auto"}, "`effort` is 'auto'; known: low, medium, high"),
    ({"op": "models", "provider": "mine"}, "has no list of models"),
    ({"op": "render", "prompt": "no_such_prompt", "data": {}, "secret": "00" * 32, "call": "c"},
     ""),
])
def test_request_that_cannot_be_served_fails(helper, members, why):
    answer = helper.request(**members)
    assert answer["event"] == "failed" and why in answer["reason"]


def test_ids_may_be_numbers():
    ended = run(OPEN, {"op": "estimate", "id": 7, "model": "ollama/x", "input_bytes": 1,
                       "max_output_tokens": 1})
    assert json.loads(ended.stdout.splitlines()[1])["id"] == 7


def test_no_package_of_endpoints_is_imported_for_rendering(tmp_path):
    for name in ("openai", "httpx2", "genai_prices", "pydantic"):
        (tmp_path / f"{name}.py").write_text("raise SystemExit('imported')")
    ended = run(OPEN, {"op": "render", "id": "1", "prompt": "no_such_prompt", "data": {},
                       "secret": "00" * 32, "call": "c"}, PYTHONPATH=str(tmp_path))
    assert ended.returncode == 0
    assert json.loads(ended.stdout.splitlines()[1])["event"] == "failed"


def test_old_python_is_named():
    program = ("import runpy, sys; sys.version_info = (3, 10, 1); "
               "runpy.run_module('robust_kbench_llm', run_name='__main__')")
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True,
                           cwd=ROOT / "llm")
    assert ended.returncode == 1
    assert "this is Python 3.10; it needs Python 3.11 or newer" in ended.stderr
