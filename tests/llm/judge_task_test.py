"""The filter `judgement` of `rkb filter`, by a stub's answers. $RKB is the program."""

import json
import os
import pathlib
import re
import subprocess

from a_person import LIMIT_S, ask_as_a_person
from helper import Stub
from stub_script import prompt_of

TASK = "mnist_linear_relu"  # its filters take half a second
MARK = r"The mark of this message is (\w+)\."
NEEDLESS = {"quote": MARK, "text": 'So it is. {"mark": "$quote", "redundant": true, '
            '"inefficient": false, "reasons": ["The clamp never binds."]}'}
NEEDED = {"quote": MARK, "text": '{"mark": "$quote", "redundant": false, "inefficient": false, '
          '"reasons": []}'}
UNMARKED = {"text": '{"mark": "", "redundant": true, "inefficient": true, "reasons": []}'}


def judged(directory, answer, *command):
    """Runs `rkb filter` with a stub that answers. Returns its result, its filters of judgement by
    task, and the stub."""
    stub = Stub({"rules": [answer]})
    ended = ask_as_a_person(directory, stub, "filter", *command, "--json",
                            directory / "out.json")
    stub.close()
    tasks = json.loads((directory / "out.json").read_text())["tasks"] \
        if pathlib.Path(directory / "out.json").exists() else []
    results = {task["task"]: next(result for result in task["filters"]
                                  if result["filter"] == "judgement") for task in tasks}
    return ended, results, stub


def test_a_task_is_caught_that_a_model_finds_redundant(tmp_path):
    ended, results, stub = judged(tmp_path, NEEDLESS, TASK, "--max-usd", "1")
    assert ended["returncode"] == "1", ended
    assert f"{TASK} forward is caught by judgement: openai/gpt-4.1 calls it redundant: The clamp " \
        "never binds.\n" in ended["stdout"]
    assert results[TASK]["status"] == "caught"
    assert [(m["what"], m["value"]) for m in results[TASK]["measurements"]] == \
        [("redundant", 1), ("inefficient", 0)]
    asked = prompt_of(stub.requests[0]["body"])
    assert "F.relu(" in asked and "Redundant is an operator" in asked


def test_a_task_passes_that_a_model_finds_nothing_in(tmp_path):
    ended, results, _ = judged(tmp_path, NEEDED, TASK, "--max-usd", "1")
    assert ended["returncode"] == "0", ended
    assert results[TASK]["status"] == "pass"


def test_an_answer_without_the_mark_is_no_judgement(tmp_path):
    ended, results, _ = judged(tmp_path, UNMARKED, TASK, "--max-usd", "1")
    assert ended["returncode"] == "0", ended
    assert results[TASK]["status"] == "skipped"
    assert "no judgement with the mark of its prompt" in results[TASK]["reason"]


def test_a_cap_limits_the_filter(tmp_path):
    ended, results, stub = judged(tmp_path, NEEDED, TASK, "mnist_linear", "--max-calls", "1")
    assert ended["returncode"] == "3", ended
    assert stub.count()["requests"] == 1
    assert sorted(result["status"] for result in results.values()) == ["pass", "skipped"]
    assert re.search(r"the same command with --resume \S+ goes on", ended["stderr"])


def test_without_a_cap_nothing_is_asked(tmp_path):
    ended, _, stub = judged(tmp_path, NEEDED, TASK)
    assert ended["returncode"] == "2", ended
    assert not stub.requests


def test_without_a_model_it_is_skipped(tmp_path):
    done = subprocess.run([os.environ["RKB"], "filter", TASK, "--json",
                           tmp_path / "out.json"], capture_output=True, text=True, check=True,
                          timeout=LIMIT_S)
    assert "skipped" in done.stdout
    filters = json.loads((tmp_path / "out.json").read_text())["tasks"][0]["filters"]
    assert "name one by --model" in next(f["reason"] for f in filters if f["filter"] == "judgement")
