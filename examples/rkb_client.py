"""A client of `rkb serve` (docs/serve.md), of the standard library alone."""

import itertools
import json
import os
import socket
import subprocess
import time

# These come from the environment, so that one example serves every task.
TASK = os.environ.get("RKB_TASK", "mnist_linear")
DIRECTION = os.environ.get("RKB_DIRECTION", "forward")
SCOPE = json.loads(os.environ.get("RKB_SCOPE", "{}"))


class Client:
    """Talks to the server at $RKB_SOCKET; where it is not set, to one of its own, $RKB."""

    def __init__(self):
        self._ids = itertools.count()
        self._server = None
        self._socket = None
        if "RKB_SOCKET" in os.environ:
            self._socket = socket.socket(socket.AF_UNIX)
            self._socket.connect(os.environ["RKB_SOCKET"])
            self._to = self._socket.makefile("w", encoding="utf-8")
            self._from = self._socket.makefile("r", encoding="utf-8")
        else:
            self._server = subprocess.Popen(
                [os.environ.get("RKB", "rkb"), "serve"],
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, encoding="utf-8")
            self._to, self._from = self._server.stdin, self._server.stdout

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._to.close()
        self._from.close()
        if self._socket:
            self._socket.close()
        if self._server:
            self._server.wait()

    def evaluate(self, path, **fields):
        """The final line of the kernel at `path`. `fields` are further ones of the submit."""
        submit = {"type": "submit", "task": TASK, "direction": DIRECTION, "scope": SCOPE,
                  "paths": [os.path.abspath(path)], **fields}
        while True:
            final = self._submit({**submit, "id": str(next(self._ids))})
            if final["status"] != "busy":
                return final
            time.sleep(1)

    def _submit(self, submit):
        self._to.write(json.dumps(submit) + "\n")
        self._to.flush()
        for line in self._from:
            answer = json.loads(line)
            if answer["type"] == "final" and answer["id"] == submit["id"]:
                return answer
        raise RuntimeError("rkb serve has ended; its stderr says why")


def score(final):
    """The figure that a search should raise. Neither a wrong kernel nor noise makes it good."""
    if final["verdict"] == "harness_error" or final["status"] in ("error", "cancelled"):
        raise RuntimeError(f"nothing is known of the kernel: {final['reason']}")
    if final["verdict"] != "pass":
        return 0.0
    return final["speedup_low"] or 0.0
