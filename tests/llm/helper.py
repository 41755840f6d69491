"""A client of the helper for language models, in the role of rkb, and stubs as endpoints."""

import json
import os
import pathlib
import queue
import subprocess
import sys
import threading

import stub_server

ROOT = pathlib.Path(__file__).resolve().parents[2]
LIMIT_S = 30


class Stub:
    """A stub server in a thread of this process."""

    def __init__(self, scenario, certificate=None):
        self._server = stub_server.Server(scenario, certificate)
        self._scheme = "https" if certificate else "http"
        threading.Thread(target=self._server.serve_forever, args=(0.02,), daemon=True).start()

    @property
    def url(self):
        return f"{self._scheme}://127.0.0.1:{self._server.server_port}"

    @property
    def requests(self):
        return self._server.script.requests

    def count(self):
        return self._server.script.settled_count()

    def close(self):
        self._server.shutdown()
        self._server.server_close()


def providers_of(stubs, wire="openai"):
    """The member `providers` of `open`: one for each stub, like the wire's maker."""
    path = "/v1" if wire == "openai" else ""
    return {name: {"base_url": stub.url + path, "like": wire}
            for name, stub in stubs.items()}


class Helper:
    """A helper process that was told `open`."""

    def __init__(self, providers, keys=None, concurrency=8, environment=None, **options):
        arguments = [sys.executable, "-m", "robust_kbench_llm"]
        read_end, write_end = os.pipe()
        if keys is not None:
            arguments += ["--keys-fd", str(read_end)]
        self.process = subprocess.Popen(
            arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            pass_fds=[read_end], env={"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT / "llm"),
                                      **(environment or {})}, **options)
        os.close(read_end)
        with os.fdopen(write_end, "w") as pipe:
            json.dump(keys or {}, pipe)
        self.lines = []
        self.errors = b""
        self._sending = threading.Lock()
        self._ids = iter(range(1, 1 << 30))
        self._events = {}
        self._readers = [threading.Thread(target=target, daemon=True)
                         for target in (self._read, self._read_errors)]
        for reader in self._readers:
            reader.start()
        self._opened = queue.Queue()
        self.send(op="open", version=1, providers=providers, concurrency=concurrency)
        self.opened = self._opened.get(timeout=LIMIT_S)

    def _read(self):
        for line in self.process.stdout:
            self.lines.append(line)
            event = json.loads(line)
            (self._events[event["id"]] if "id" in event else self._opened).put(event)

    def _read_errors(self):
        self.errors = self.process.stderr.read()

    def send(self, **request):
        with self._sending:
            self.process.stdin.write(json.dumps(request).encode() + b"\n")
            self.process.stdin.flush()

    def begin(self, op, **members):
        """Sends a request. Returns its id."""
        call = f"c{next(self._ids)}"
        self._events[call] = queue.Queue()
        self.send(op=op, id=call, **members)
        return call

    def next_event(self, call):
        return self._events[call].get(timeout=LIMIT_S)

    def request(self, op, **members):
        """Sends a request and returns the one event that answers it."""
        return self.next_event(self.begin(op, **members))

    def begin_ask(self, model, prompt="Say hello.", **members):
        members = {"messages": [{"role": "user", "content": prompt}], "max_output_tokens": 8192,
                   "timeout_s": LIMIT_S, **members}
        return self.begin("ask", model=model, **members)

    def end_ask(self, call, grants=lambda attempt: True):
        """Grants attempts until the answer comes. Returns it, with the events before as lists."""
        announced, ended = [], []
        while True:
            event = self.next_event(call)
            if event["event"] == "attempt":
                announced.append(event)
                self.send(op="leave", id=call, attempt=event["attempt"],
                          granted=grants(event["attempt"]))
            elif event["event"] == "attempt_ended":
                ended.append(event)
            else:
                return {**event, "announced": announced, "ended": ended}

    def ask(self, model, prompt="Say hello.", grants=lambda attempt: True, **members):
        return self.end_ask(self.begin_ask(model, prompt, **members), grants)

    def close(self):
        """Ends the helper. Returns its exit status."""
        self.process.stdin.close()
        status = self.process.wait(LIMIT_S)
        for reader in self._readers:
            reader.join(LIMIT_S)
        return status

    def output(self):
        """All output of the helper, once it is closed."""
        return b"".join(self.lines) + self.errors
