"""A client of `rkb serve` (docs/serve.md)."""

from __future__ import annotations

import collections
import concurrent.futures
import itertools
import os
import threading
from typing import Any, Deque, Dict, List, Mapping, Optional, Sequence

from .connection import Connection, ProcessConnection, SocketConnection, line_of
from .errors import ServerError
from .evaluation import Evaluation
from .kernel import KernelLike, PathLike, as_kernel
from .submission import Submission

PROTOCOL = 1
BUSY_SECONDS = 1.0  # until a server whose queue other clients have filled is asked again


class Client:
    """Has kernels evaluated by a server.

    `socket` is the path of a unix socket that `rkb serve --listen unix:PATH` listens at. Its default
    is $RKB_SOCKET. Where neither is given, the client starts a server of its own with the `options`
    of `rkb serve`. Its program is `rkb`, by default $RKB or the one in PATH. Raises ServerError.

    All methods may be called from any thread. At the end of a `with` block the client waits for its
    submissions, and after an exception it cancels them.
    """

    def __init__(self, rkb: Optional[PathLike] = None, *, socket: Optional[PathLike] = None,
                 options: Sequence[str] = ()):
        self._ids = itertools.count(1)
        self._lock = threading.Lock()
        self._under_way: Dict[str, Submission] = {}
        self._waiting: Deque[Submission] = collections.deque()
        self._pause: Optional[threading.Timer] = None
        self._ended: Optional[ServerError] = None
        self._closed = False
        self._hello: Dict[str, Any] = {}
        self._greeted = threading.Event()
        self._connection = _connect(rkb, socket, options)
        self._reader = threading.Thread(target=self._read, name="rkb_client", daemon=True)
        self._reader.start()
        try:
            self._greet()
        except BaseException:
            self.close(cancel=True)
            raise

    def __enter__(self) -> Client:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        self.close(cancel=error is not None)

    @property
    def tasks(self) -> Mapping[str, List[str]]:
        """The directions of each task that the server has."""
        return {task["name"]: task["directions"] for task in self._hello["tasks"]}

    @property
    def devices(self) -> List[str]:
        """The devices that the server can evaluate kernels on: `cpu`, `cuda`."""
        return list(self._hello["devices"])

    def evaluate(self, task: str, source: KernelLike, *, timeout: Optional[float] = None,
                 **options: Any) -> Evaluation:
        """Returns the evaluation of a kernel. `options` are those of submit().

        After `timeout` seconds it is cancelled, and TimeoutError is raised.
        """
        submission = self.submit(task, source, **options)
        try:
            return submission.result(timeout)
        except BaseException:  # KeyboardInterrupt, too
            submission.cancel()
            raise

    def submit(self, task: str, source: KernelLike, *, direction: str = "forward",
               device: Optional[str] = None, scope: Optional[Mapping[str, Any]] = None,
               bench: bool = True, sanitize: bool = True, judge: Optional[str] = None,
               require_replay: bool = False,
               rivals: Optional[Mapping[str, KernelLike]] = None) -> Submission:
        """Has a kernel evaluated, and does not wait for it. Any number may be under way.

        A string is the kernel's text, and a pathlib.Path its file. `scope` and the others are as in
        docs/serve.md. Raises RequestError for what cannot be sent, and ServerError.
        """
        request = {"type": "submit", "id": str(next(self._ids)), "task": task,
                   "direction": direction, "bench": bench, "sanitize": sanitize,
                   "scope": dict(scope or {}), **as_kernel(source).fields(),
                   "rivals": {name: as_kernel(rival).fields()
                              for name, rival in (rivals or {}).items()}}
        if device is not None:
            request["device"] = device
        if judge is not None:
            request["judge"] = judge
        if require_replay:
            request["require_replay"] = True
        submission = Submission(request["id"], line_of(request), self._ask_to_cancel)
        with self._lock:
            if self._ended:
                raise self._ended
            if self._closed:
                raise ServerError("the client is closed; make another one")
            self._waiting.append(submission)
            self._send_waiting()
        return submission

    def close(self, cancel: bool = False) -> None:
        """Waits for all submissions, or cancels them. A server of the client's own ends then."""
        with self._lock:
            is_first, self._closed = not self._closed, True
            pending = [*self._under_way.values(), *self._waiting]
        if cancel:
            for submission in pending:
                submission.cancel()
        concurrent.futures.wait(pending)
        if is_first:
            self._connection.finish_sending()
            self._reader.join()
            self._connection.close()

    def _greet(self) -> None:
        self._connection.send(line_of({"type": "hello"}))
        self._greeted.wait()
        if self._ended:
            raise self._ended
        protocol = self._hello.get("protocol")
        if protocol != PROTOCOL:
            raise ServerError(f"the server speaks protocol {protocol}, and this client {PROTOCOL}; "
                              "take both from one version of RobustKBench")

    def _send_waiting(self) -> None:
        """Sends what waits, as far as the server's queue has room. Call it with the lock held."""
        while self._waiting and not self._pause and len(self._under_way) < self._hello["queue"]:
            submission = self._waiting.popleft()
            self._under_way[submission.id] = submission
            self._connection.send(submission.line)

    def _ask_to_cancel(self, submission: Submission) -> None:
        with self._lock:
            is_waiting = submission in self._waiting
            if is_waiting:
                self._waiting.remove(submission)
            elif submission.id in self._under_way:
                self._connection.send(line_of({"type": "cancel", "id": submission.id}))
        if is_waiting:
            submission.end_cancelled()

    def _read(self) -> None:
        """Takes all that the server says. What is unfinished at its end has failed."""
        why = ""
        try:
            for message in self._connection.receive():
                self._take(message)
        except (OSError, ValueError, KeyError, TypeError) as error:
            why = f"the server has sent what its protocol does not have: {error!r}"
        ended = ServerError(why or self._connection.why_ended())
        with self._lock:
            self._ended = ended
            unfinished = [*self._under_way.values(), *self._waiting]
            self._under_way.clear()
            self._waiting.clear()
        self._greeted.set()
        for submission in unfinished:
            submission.end_with(ended)

    def _take(self, message: Mapping[str, Any]) -> None:
        if message["type"] == "hello":
            self._hello = dict(message)
            self._greeted.set()
            return
        if message["id"] is None:
            raise ValueError(message["reason"])
        is_end = message["type"] in ("final", "error")
        is_busy = message.get("status") == "busy"
        with self._lock:
            submission = self._under_way.get(message["id"])
            if is_end and submission:
                del self._under_way[submission.id]
                if is_busy:
                    self._waiting.appendleft(submission)
                    self._wait_for_room()
                else:
                    self._end_pause()
        if submission and not is_busy:
            submission.take(message)

    def _wait_for_room(self) -> None:
        """Sends nothing for a while, since other clients fill the queue. Has the lock."""
        if not self._pause:
            self._pause = threading.Timer(BUSY_SECONDS, self._go_on)
            self._pause.daemon = True
            self._pause.start()

    def _go_on(self) -> None:
        with self._lock:
            self._end_pause()

    def _end_pause(self) -> None:
        """Sends what waits, after a pause or where a submission has made room. Has the lock."""
        if self._pause:
            self._pause.cancel()
            self._pause = None
        self._send_waiting()


def _connect(rkb: Optional[PathLike], socket: Optional[PathLike],
             options: Sequence[str]) -> Connection:
    if socket is None and rkb is None:
        socket = os.environ.get("RKB_SOCKET")
    if socket is None:
        program = os.fspath(rkb) if rkb else os.environ.get("RKB", "rkb")
        return ProcessConnection([program, "serve", *options])
    if rkb is not None or options:
        raise ServerError(f"the server at {os.fspath(socket)} runs already, with its own program and "
                          "options; give either socket, or rkb and options")
    return SocketConnection(os.fspath(socket))
