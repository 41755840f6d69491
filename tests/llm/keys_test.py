"""Keys reach the hosts that they belong to, and no other place."""

import base64
import contextlib
import json
import os
import socket
import subprocess
import sys
import urllib.parse

import pytest
from helper import ROOT, Helper, Stub
from robust_kbench_llm.keys import Keys, RedactedStream

KEYS = {"FIRST_KEY": "planted-first-0123456789", "SECOND_KEY": "planted-second-0123456789"}
# A key with each character that some encoding escapes.
ODD_KEY = "sk-proj-Ab+/9_xyz=.~0123456789"

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


def spellings(key):
    """Spellings in which an endpoint may repeat a key, by name."""
    plain = key.encode()
    return {
        "base64": base64.b64encode(plain).decode(),
        "base64 of a header": base64.b64encode(b"Bearer " + plain).decode(),
        "base64 of a pair": base64.b64encode(b"me:" + plain + b"\n").decode(),
        "base64 in lines": base64.encodebytes(b"." * 50 + plain).decode(),
        "URL-safe base64": base64.urlsafe_b64encode(b"Bearer " + plain).decode(),
        "base64 in an address": urllib.parse.quote(base64.b64encode(plain), safe=""),
        "in an address": urllib.parse.quote(key, safe=""),
        "each byte in an address": "".join(f"%{byte:02X}" for byte in plain),
        "hexadecimal": plain.hex(), "large hexadecimal": plain.hex().upper(),
        "bytes apart": plain.hex(" "), "bytes in C": "".join(f"\\x{byte:02x}" for byte in plain),
        "escaped": "".join(f"\\u{byte:04x}" for byte in plain),
        "quoted twice": json.dumps(json.dumps({"key": f"{key}\n"})),
        "HTML": "".join(f"&#{byte};" for byte in plain), "large": key.upper(), "turned": key[::-1],
        "on two lines": f"{key[:12]}\n{key[12:]}", "in two parts": f'{key[:12]}" + "{key[12:]}',
        "slashes escaped": key.replace("/", "\\/"), "cut": key[:20]}


# The remaining characters come from the text around the key.
STAYS = {"base64 of a header": "QmVhcmVyIH[key]", "base64 of a pair": "bWU6[key]Cg==",
         "URL-safe base64": "QmVhcmVyIH[key]", "base64 in lines": f"{'Li4u' * 16}Li5[key]\n",
         "quoted twice": '"{\\"key\\": \\"[key]\\\\n\\"}"'}


@pytest.mark.parametrize("name", spellings(ODD_KEY))
def test_no_spelling_of_a_key_comes_through(name):
    keys = Keys({"KEY": ODD_KEY, "OTHER": "another-key-0123456789"})
    redacted = keys.redact(f"<{spellings(ODD_KEY)[name]}").removeprefix("<")
    assert redacted == STAYS.get(name, "[key]")


@pytest.mark.parametrize("text", ["int main() { return 0; }", "c2stcHJvag==", "\\" * 100_000,
                                  "s k " * 50_000, "5f" * 50_000])
def test_other_texts_are_not_changed(text):
    assert Keys({"KEY": ODD_KEY}).redact(text) == text


def test_nothing_that_a_package_prints_has_a_key(capsys):
    stream = RedactedStream(sys.stderr, Keys({"KEY": ODD_KEY}))
    print(f"a warning with {ODD_KEY}", file=stream)
    assert capsys.readouterr().err == "a warning with [key]\n"


def test_requests_reveal_nothing_about_this_machine(tmp_path):
    home = tmp_path / "planted-home"
    home.mkdir()
    for wire in ("openai", "anthropic"):
        stub = Stub({})
        helper = Helper({"a": {"base_url": stub.url, "wire": wire}}, cwd=home, environment={
            "HOME": str(home), "USER": "planted-user", "LOGNAME": "planted-user",
            "TMPDIR": str(home)})
        assert helper.ask("a/any")["outcome"] == "ok"
        assert helper.close() == 0
        stub.close()
        sent = str(stub.requests)
        for told in ("planted", str(ROOT), sys.prefix, socket.gethostname()):
            assert told not in sent.replace("127.0.0.1", "")


@pytest.mark.parametrize("wire, header", [("openai", "api-key"), ("anthropic", "x-api-key")])
def test_parameters_of_a_base_url_are_sent(wire, header):
    stub = Stub({"models": ["any"]})
    base_url = f"{stub.url}/openai/deployments/any?api-version=2024-10-21&a=b%20c"
    helper = Helper({"azure": {"base_url": base_url, "wire": wire, "key_variable": "KEY"}},
                    {"KEY": ODD_KEY})
    assert helper.ask("azure/any")["outcome"] == "ok"
    [request] = stub.requests
    path, _, query = request["path"].partition("?")
    assert path.startswith("/openai/deployments/any/")
    assert urllib.parse.parse_qs(query) == {"api-version": ["2024-10-21"], "a": ["b c"]}
    assert {name.lower(): value for name, value in request["headers"].items()}[header] == ODD_KEY
    assert helper.request("models", provider="azure")["names"] == ["any"]
    assert helper.close() == 0
    stub.close()


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
    ("https://example.com/?api-key=1", "more than host, port and path"),
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
    # In /proc, the files of a process that is not dumpable belong to root, whoever runs it.
    user = {"user": NOBODY} if os.geteuid() == 0 else {}
    try:
        helper = Helper({}, KEYS, **user)
    except PermissionError:
        pytest.skip(f"user {NOBODY} cannot run {sys.executable}")
    assert os.stat(f"/proc/{helper.process.pid}/environ").st_uid == 0
    assert helper.close() == 0
