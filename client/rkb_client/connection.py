"""Lines of JSON to and from a server."""

from __future__ import annotations

import contextlib
import json
import os
import socket
import subprocess
import tempfile
import threading
from typing import Any, Dict, Iterator, Mapping, Sequence

from .errors import RequestError, ServerError

MOST_BYTES = 4 << 20  # of a line that the server reads
QUOTED_BYTES = 2000  # of the server's stderr in an error


def line_of(message: Mapping[str, Any]) -> bytes:
    """Returns an object as a line of the protocol. Raises RequestError where it cannot be one."""
    try:
        line = json.dumps(message, ensure_ascii=False, allow_nan=False).encode() + b"\n"
    except (TypeError, ValueError) as error:
        raise RequestError(f"the submission cannot be written as JSON: {error}") from error
    if len(line) > MOST_BYTES:
        raise RequestError(f"the submission has {len(line)} bytes, at most {MOST_BYTES}; give long "
                           "sources as paths")
    return line


class Connection:
    """A connection to a server. One thread reads, and any thread writes."""

    def __init__(self, reader: Any, writer: Any):
        self._reader = reader
        self._writer = writer
        self._lock = threading.Lock()

    def send(self, line: bytes) -> None:
        """Sends a line. If the server has gone, the reading thread learns it and tells why."""
        with self._lock, contextlib.suppress(OSError):
            self._writer.write(line)
            self._writer.flush()

    def receive(self) -> Iterator[Dict[str, Any]]:
        """Yields each line of the server, until it ends."""
        for line in self._reader:
            yield json.loads(line)

    def finish_sending(self) -> None:
        """Tells the server that no further line comes."""
        raise NotImplementedError

    def close(self) -> None:
        """Waits for the server's end, where it is ours."""
        raise NotImplementedError

    def why_ended(self) -> str:
        """Says why nothing more comes, after the last line."""
        raise NotImplementedError


class SocketConnection(Connection):
    """A connection to a server that listens at a unix socket."""

    def __init__(self, path: str):
        self._path = path
        self._socket = socket.socket(socket.AF_UNIX)
        try:
            self._socket.connect(path)
        except OSError as error:
            self._socket.close()
            raise ServerError(f"no server listens at {path} ({error.strerror}); start one by: "
                              f"rkb serve --listen unix:{path}") from error
        super().__init__(self._socket.makefile("rb"), self._socket.makefile("wb"))

    def finish_sending(self) -> None:
        with contextlib.suppress(OSError):  # the server has gone
            self._socket.shutdown(socket.SHUT_WR)

    def close(self) -> None:
        for end in (self._reader, self._writer, self._socket):
            with contextlib.suppress(OSError):  # what could not be sent
                end.close()

    def why_ended(self) -> str:
        return f"the server at {self._path} has closed the connection; its stderr says why"


class ProcessConnection(Connection):
    """A connection to a server of our own."""

    def __init__(self, command: Sequence[str]):
        self._command = command
        # A file takes all that the server may ever say, without anybody reading it.
        self._stderr = tempfile.TemporaryFile()
        try:
            # A session of its own keeps Ctrl-C from the server, which close() ends in order.
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=self._stderr,
                                             stdout=subprocess.PIPE, start_new_session=True)
        except OSError as error:
            self._stderr.close()
            raise ServerError(f"{command[0]} cannot be started ({error.strerror}); name RobustKBench's "
                              "rkb by Client(rkb=...) or $RKB, or have it in PATH") from error
        super().__init__(self._process.stdout, self._process.stdin)

    def finish_sending(self) -> None:
        with contextlib.suppress(OSError):  # the server has gone
            self._writer.close()

    def close(self) -> None:
        self._process.wait()
        self._reader.close()
        self._stderr.close()

    def why_ended(self) -> str:
        code = self._process.wait()
        size = self._stderr.seek(0, os.SEEK_END)
        self._stderr.seek(max(0, size - QUOTED_BYTES))
        said = self._stderr.read().decode(errors="replace").strip()
        return f"{' '.join(self._command)} has ended with exit code {code}: {said or 'no reason given'}"
