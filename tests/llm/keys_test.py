"""Keys reach the hosts that they belong to, and nothing else."""

import contextlib
import json
import os
import subprocess
import sys

import pytest
from helper import ROOT, Helper, Stub

KEYS = {"FIRST_KEY": "planted-first-0123456789", "SECOND_KEY": "planted-second-0123456789"}

NOBODY = 65534


@contextlib.contextmanager
def running(scenarios, entries, keys):
    """A helper and stubs by name. The address of each goes into the entry of the same name."""
    stubs = {name: Stub(scenario) for name, scenario in scenarios.items()}
    providers = {name: {"base_url": stubs[name].url, **entry} for name, entry in entries.items()}
    helper = Helper(providers, keys)
    try:
        yield helper, stubs
    finally:
        helper.close()
        for stub in stubs.values():
            stub.close()


def headers_of(stub):
    [request] = stub.requests
    return {name.lower(): value for name, value in request["headers"].items()}


def test_each_host_gets_its_own_key():
    entries = {"a": {"wire": "openai", "key_variable": "FIRST_KEY"},
               "b": {"wire": "anthropic", "key_variable": "SECOND_KEY"},
               "c": {"wire": "openai"}, "d": {"wire": "anthropic"}}
    with running({name: {} for name in entries}, entries, KEYS) as (helper, stubs):
        for name in entries:
            assert helper.ask(f"{name}/any")["outcome"] == "ok"
    sent = {name: headers_of(stub) for name, stub in stubs.items()}
    assert sent["a"]["authorization"] == f"Bearer {KEYS['FIRST_KEY']}"
    assert sent["b"]["x-api-key"] == KEYS["SECOND_KEY"]
    assert KEYS["SECOND_KEY"] not in str(sent["a"]) and KEYS["FIRST_KEY"] not in str(sent["b"])
    for name in ("c", "d"):
        assert "planted" not in str(sent[name])
        assert not {"authorization", "x-api-key"} & sent[name].keys()


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_no_key_follows_a_redirect(wire):
    target = Stub({})
    scenario = {"default": {"status": 308, "headers": {"location": f"{target.url}/v1/messages"}}}
    entry = {"wire": wire, "key_variable": "FIRST_KEY"}
    with running({"a": scenario}, {"a": entry}, KEYS) as (helper, _):
        assert helper.ask("a/any")["outcome"] == "error"
    assert target.count()["requests"] == 0
    target.close()


@pytest.mark.parametrize("wire", ["openai", "anthropic"])
def test_nothing_for_this_machine_takes_a_proxy(wire):
    proxy, stub = Stub({}), Stub({})
    helper = Helper({"a": {"base_url": stub.url, "wire": wire}},
                    environment={"HTTP_PROXY": proxy.url, "ALL_PROXY": proxy.url})
    assert helper.ask("a/any")["outcome"] == "ok"
    assert (stub.count()["requests"], proxy.count()["requests"]) == (1, 0)
    assert helper.close() == 0
    for server in (proxy, stub):
        server.close()


def test_no_key_is_in_any_output():
    key = KEYS["FIRST_KEY"]
    scenarios = {"echo": {"default": {"text": f"your key is {key}"}},
                 "blame": {"default": {"status": 401, "error": f"{key} is wrong"}},
                 "stream": {"default": {"text": "ab", "stream_error": {"message": key}}},
                 "hint": {"models": [key], "default": {"status": 404, "error": "no such model"}}}
    entries = {name: {"wire": "openai", "key_variable": "FIRST_KEY"} for name in scenarios}
    with running(scenarios, entries, KEYS) as (helper, stubs):
        for name in scenarios:
            helper.ask(f"{name}/any", grants=lambda attempt: attempt == 1)
        helper.request("ask", model=f"nobody/{key}")
        helper.send(op=key)
    assert helper.process.returncode == 2
    assert all(key in str(stub.requests) for stub in stubs.values())
    assert b"planted" not in helper.output()
    assert b"[key]" in helper.output()


def test_a_missing_key_is_named():
    with running({"a": {}}, {"a": {"wire": "openai", "key_variable": "THIRD_KEY"}},
                 KEYS) as (helper, stubs):
        answer = helper.ask("a/any")
    assert answer["event"] == "failed" and "set THIRD_KEY" in answer["reason"]
    assert stubs["a"].count()["requests"] == 0


def run_helper(text, *arguments, **options):
    return subprocess.run(
        [sys.executable, "-m", "robust_kbench_llm", *arguments], input=text, capture_output=True,
        text=True, timeout=30, cwd=ROOT / "llm", **options)


@pytest.mark.parametrize("base_url, why", [
    ("http://api.example.com/v1", "plain http"),
    ("http://127.0.0.1.example.com/v1", "plain http"),
    ("https://user:word@example.com/", "more than host, port and path"),
    ("ftp://example.com/", "no http or https address"),
])
def test_addresses_that_get_no_key(base_url, why):
    providers = {"openai": {"base_url": base_url}}
    ended = run_helper(json.dumps({"op": "open", "version": 1, "concurrency": 1,
                                   "providers": providers}) + "\n")
    assert ended.returncode == 2 and ended.stdout == ""
    assert why in ended.stderr and "openai" in ended.stderr


@pytest.mark.parametrize("text", ["planted", "[]", '{"A": "planted\\nHost: x"}', '{"A": ""}',
                                  '{"A": "planted"}'])
def test_a_pipe_without_keys_is_refused(text):
    read_end, write_end = os.pipe()
    os.write(write_end, text.encode())
    os.close(write_end)
    ended = run_helper("", "--keys-fd", str(read_end), pass_fds=[read_end])
    os.close(read_end)
    assert ended.returncode == 1 and "key" in ended.stderr
    assert "planted" not in ended.stderr


def test_no_other_process_of_the_user_can_look_into_it():
    # /proc gives the files of a process that is not dumpable to root, whoever runs it.
    user = {"user": NOBODY} if os.geteuid() == 0 else {}
    try:
        helper = Helper({}, KEYS, **user)
    except PermissionError:
        pytest.skip(f"user {NOBODY} cannot run {sys.executable}")
    assert os.stat(f"/proc/{helper.process.pid}/environ").st_uid == 0
    assert helper.close() == 0
