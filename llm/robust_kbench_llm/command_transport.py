"""Asks a program: the prompt on its stdin, the answer on its stdout."""

import asyncio
import os
import pathlib
import signal
import sys

from robust_kbench_llm.transport import MOST_ANSWER_CHARACTERS, AttemptFailed, Body

CONFINE = pathlib.Path(__file__).with_name("confine.py")
MOST_ANSWER_BYTES = 4 * MOST_ANSWER_CHARACTERS  # no character takes more in UTF-8
MOST_SHOWN = 500  # characters of a program's stderr
MOST_ERRORS = 1 << 16  # bytes of it that are kept


def make_body(question, capability, dropped=frozenset()):
    """The Body for a question. A program takes only a prompt."""
    del capability, dropped
    settings = ("temperature", "effort", "schema")
    ignored = {name for name in settings if getattr(question, name) is not None}
    return Body({"messages": question.messages}, frozenset(ignored | {"max_output_tokens"}), {})


def prompt_of(messages):
    """A single message as it is, several with their roles above them."""
    if len(messages) == 1:
        return messages[0]["content"]
    return "\n\n".join(f"[{message['role']}]\n{message['content']}" for message in messages)


async def read_up_to(stream, most):
    """Reads all of a stream and keeps its first bytes, `most` and one more.

    Further bytes are read and dropped, so that a program does not wait for ever.
    """
    kept = b""
    while piece := await stream.read(1 << 16):
        kept += piece[:most + 1 - len(kept)]
    return kept


class CommandTransport:
    def __init__(self, provider, key):
        del key  # a program gets none
        self._command = provider.command
        self._name = provider.name

    make_body = staticmethod(make_body)

    async def ask(self, body, timeout_s, reply):
        """Runs the program and fills the Reply. Raises AttemptFailed.

        The caller's timeout cancels it, and then the program and all its children are killed.
        """
        del timeout_s
        prompt = prompt_of(body.members["messages"]).encode()
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-I", "-S", str(CONFINE), *self._command,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.PIPE, start_new_session=True)
        try:
            answer, errors, _ = await asyncio.gather(
                read_up_to(process.stdout, MOST_ANSWER_BYTES),
                read_up_to(process.stderr, MOST_ERRORS), feed(process.stdin, prompt))
            status = await process.wait()
        finally:
            try:
                os.killpg(process.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass
        if status != 0:
            said = errors.decode("utf-8", "replace").strip()[-MOST_SHOWN:]
            raise AttemptFailed("server_error", f"command {self._name} ({self._command[0]}) ended "
                                f"with status {status}: {said}", is_final=True)
        reply.add(answer.decode("utf-8", "replace"))
        reply.finish_reason = "stop"

    async def models(self):
        raise AttemptFailed("bad_request", f"command {self._name} has no list of models")


async def feed(stream, prompt):
    """Writes the prompt. A program need not read it."""
    try:
        stream.write(prompt)
        await stream.drain()
        stream.close()
        await stream.wait_closed()
    except (BrokenPipeError, ConnectionResetError):
        pass
