"""A program as a model: its input, the use of its answer, and its confinement."""

import ctypes
import secrets
import sys

import pytest
from helper import Helper

PR_SET_DUMPABLE = 4
# Searches for a planted key in the memory of its ancestors, and in the environment, the arguments
# and the open files of all processes. The pattern does not match its own text.
SEARCH = r'''
import os, re
KEY = re.compile(b"planted" + rb"-[0-9a-f]{32}")
found, looked = [], 0
def look(name, read):
    global looked
    try:
        data = read()
    except OSError:
        return
    looked += 1
    if KEY.search(data):
        found.append(name)
def whole(path):
    with open(path, "rb") as file:
        return file.read(1 << 26)
def pipes(directory):
    texts = []
    for name in os.listdir(directory):
        descriptor = os.open(f"{directory}/{name}", os.O_RDONLY | os.O_NONBLOCK)
        texts.append(os.read(descriptor, 1 << 16))
        os.close(descriptor)
    return b"".join(texts)
def memory(pid):
    texts = []
    with open(f"/proc/{pid}/maps") as maps, open(f"/proc/{pid}/mem", "rb") as mem:
        for line in maps:
            span, rights, *_ = line.split()
            begin, end = (int(part, 16) for part in span.split("-"))
            if rights.startswith("rw") and end - begin < 1 << 28:
                try:
                    mem.seek(begin)
                    texts.append(mem.read(end - begin))
                except (OSError, ValueError, OverflowError):
                    pass
    return b"".join(texts)
for pid in filter(str.isdigit, os.listdir("/proc")):
    look(f"environ of {pid}", lambda: whole(f"/proc/{pid}/environ"))
    look(f"cmdline of {pid}", lambda: whole(f"/proc/{pid}/cmdline"))
pid = os.getppid()
for _ in range(2):
    look(f"memory of {pid}", lambda: memory(pid))
    look(f"files of {pid}", lambda: pipes(f"/proc/{pid}/fd"))
    with open(f"/proc/{pid}/stat") as stat:
        pid = int(stat.read().rpartition(")")[2].split()[1])
look("own environment", lambda: whole("/proc/self/environ"))
print("looked", looked, "found", found)
'''


def program(text):
    return {"wire": "command", "command": [sys.executable, "-c", text]}


PROVIDERS = {
    "echo": program("import sys; sys.stdout.write(sys.stdin.read())"),
    "deaf": program("print('no need to read')"),
    "failing": program("import sys; sys.exit('out of luck')"),
    "missing": {"wire": "command", "command": ["/no/such/program"]},
    "slow": program("import time; print('begun', flush=True); time.sleep(60)"),
    "huge": program("print('x' * 20_000_000)"),
    "search": program(SEARCH),
}


@pytest.fixture(scope="module")
def key():
    return f"planted-{secrets.token_hex(16)}"


@pytest.fixture(scope="module")
def helper(key):
    helper = Helper(PROVIDERS, {"OPENAI_API_KEY": key})
    yield helper
    assert helper.close() == 0


def test_prompt_and_answer(helper):
    answer = helper.ask("echo/any", "a <prompt>\n", temperature=0.5, effort="low")
    assert (answer["outcome"], answer["text"], answer["finish_reason"]) == ("ok", "a <prompt>\n",
                                                                            "stop")
    assert answer["ignored"] == ["effort", "max_output_tokens", "temperature"]
    [attempt], [ended] = answer["announced"], answer["ended"]
    assert (attempt["host"], attempt["micro_usd"]) == ("command echo", None)
    assert (ended["usage"], ended["micro_usd"]) == (None, None)


def test_several_messages_have_their_roles(helper):
    answer = helper.ask("echo/any", messages=[{"role": "system", "content": "Be brief."},
                                              {"role": "user", "content": "Hello."}])
    assert answer["text"] == "[system]\nBe brief.\n\n[user]\nHello."


def test_program_that_does_not_read(helper):
    assert helper.ask("deaf/any", "x" * 1_000_000)["text"] == "no need to read\n"


def test_failure_is_not_tried_again(helper):
    answer = helper.ask("failing/any")
    assert (answer["outcome"], len(answer["ended"])) == ("error", 1)
    assert "status 1: out of luck" in answer["message"]


def test_missing_program(helper):
    assert "/no/such/program: No such file" in helper.ask("missing/any")["message"]


def test_slow_program_is_ended(helper):
    answer = helper.ask("slow/any", timeout_s=0.5, grants=lambda attempt: attempt == 1)
    assert answer["ended"][0]["status"] == "timeout"


def test_answer_beyond_all_limits_is_cut_off(helper):
    answer = helper.ask("huge/any")
    assert [attempt["status"] for attempt in answer["ended"]] == ["truncated_body"]


def test_no_program_runs_unless_granted(helper):
    assert helper.ask("echo/any", grants=lambda attempt: False)["outcome"] == "not_granted"


def test_search_of_proc_finds_no_key(helper):
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_DUMPABLE, 0, 0, 0, 0)  # this process has the key, too, as rkb has
    try:
        text = helper.ask("search/any")["text"]
    finally:
        prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    looked, found = text.removeprefix("looked ").strip().split(" found ")
    assert found == "[]", text
    assert int(looked) > 2, text
