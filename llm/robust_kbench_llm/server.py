"""The loop that answers the requests of rkb (docs/llm_helper.md)."""

import argparse
import asyncio
import importlib
import importlib.metadata
import os
import platform
import sys
import threading

from robust_kbench_llm import keys as keys_module
from robust_kbench_llm import prices
from robust_kbench_llm.ask import Asker
from robust_kbench_llm.hosts import Hosts
from robust_kbench_llm.http_client import LIST_S
from robust_kbench_llm.protocol import (VERSION, ProtocolError, RequestError, Writer, member,
                                        parse_line, positive)
from robust_kbench_llm.providers import Providers
from robust_kbench_llm.usage import Usage

PACKAGES = ("Jinja2", "openai", "genai-prices")


def installed_packages():
    """Versions of the installed packages by name. None of them is imported for this."""
    found = {}
    for name in PACKAGES:
        try:
            found[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            pass
    return found


def make_transport(provider, keys):
    """The transport of a provider, whose modules are imported here."""
    key = keys.get(provider.key_variable) if provider.key_variable else None
    if provider.key_variable and key is None:
        raise RequestError(f"provider {provider.name} needs a key; set {provider.key_variable}")
    if provider.wire == "command":
        from robust_kbench_llm.command_transport import CommandTransport as Transport
    elif provider.wire == "anthropic":
        from robust_kbench_llm.anthropic_transport import AnthropicTransport as Transport
    else:
        from robust_kbench_llm.openai_transport import OpenaiTransport as Transport
    return Transport(provider, key)


class Server:
    """The state after rkb's `open`, and the answers to all other requests."""

    def __init__(self, writer, keys):
        self._writer = writer
        self._keys = keys
        self._providers = None
        self._asker = None
        self._transports = {}
        self._tasks = {}

    def handle(self, line):
        """Answers a line, or begins to. Raises ProtocolError for one that rkb would never write."""
        request = parse_line(line)
        op = request["op"]
        if (op == "open") == (self._providers is not None):
            raise ProtocolError("`open` comes first and once")
        handlers = {"open": self._open, "render": self._render, "estimate": self._estimate,
                    "models": self._models, "ask": self._ask, "leave": self._leave}
        if op not in handlers:
            raise ProtocolError(f"no request is called {op!r}; known: {', '.join(handlers)}")
        try:
            if op == "open":
                handlers[op](request)
            else:
                handlers[op](member(request, "id", (str, int)), request)
        except RequestError as error:
            if not isinstance(request.get("id"), (str, int)):
                raise ProtocolError(str(error)) from None
            self._fail(request["id"], error)

    def _open(self, request):
        version = member(request, "version", int)
        if version != VERSION:
            raise ProtocolError(f"rkb speaks version {version}, the helper {VERSION}; build rkb "
                                "and use llm/ of the same checkout")
        self._providers = Providers(member(request, "providers", dict, {}))
        hosts = Hosts(positive(request, "concurrency"))
        self._asker = Asker(self._writer, hosts, self._transport_of)
        self._writer.write("opened", version=VERSION, python=platform.python_version(),
                           packages=installed_packages())

    def _render(self, call, request):
        try:
            render = importlib.import_module("robust_kbench_llm.render")
        except ImportError as error:
            raise RequestError(f"rendering needs {error.name}, which is missing") from None
        try:
            messages, mark = render.render(
                member(request, "prompt", str), member(request, "data", dict),
                member(request, "secret", str), member(request, "call", str))
        except ValueError as error:
            raise RequestError(str(error)) from None
        self._writer.write("rendered", id=call, messages=messages, mark=mark)

    def _estimate(self, call, request):
        provider, name = self._providers.find_model(member(request, "model", str))
        size, limit = positive(request, "input_bytes"), positive(request, "max_output_tokens")
        price = prices.find_price(provider, name)
        usual = price.cost(Usage(size, 0, 0, limit, 0)) if price else None
        self._writer.write("estimated", id=call, usual_micro_usd=usual,
                           **prices.estimate(price, size, limit))

    def _models(self, call, request):
        transport = self._transport_of(self._providers.find(member(request, "provider", str)))
        self._start(call, self._list_models(call, transport))

    async def _list_models(self, call, transport):
        async with asyncio.timeout(LIST_S):
            names = await transport.models()
        self._writer.write("models", id=call, names=sorted(names))

    def _ask(self, call, request):
        provider, name = self._providers.find_model(member(request, "model", str))
        self._start(call, self._asker.ask(call, request, provider, name))

    def _leave(self, call, request):
        self._asker.leave(call, positive(request, "attempt"), member(request, "granted", bool))

    def _start(self, call, coroutine):
        if call in self._tasks:
            coroutine.close()
            raise RequestError(f"the id {call!r} is taken by a call that goes on")
        self._tasks[call] = asyncio.create_task(self._guard(call, coroutine))

    async def _guard(self, call, coroutine):
        try:
            await coroutine
        except Exception as error:  # one call must not end the others
            self._fail(call, error)
        finally:
            del self._tasks[call]

    def _fail(self, call, error):
        reason = str(getattr(error, "message", "") or error) or type(error).__name__
        if not isinstance(error, RequestError):
            reason = f"{type(error).__name__}: {reason}"
        self._writer.write("failed", id=call, reason=reason)

    def _transport_of(self, provider):
        if provider.name not in self._transports:
            self._transports[provider.name] = make_transport(provider, self._keys)
        return self._transports[provider.name]

    async def stop(self):
        """Ends all current calls."""
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def serve(stream, writer, keys):
    """Answers until the stream of bytes ends. Returns the exit status."""
    loop = asyncio.get_running_loop()
    lines = asyncio.Queue()

    def read():
        for line in stream:
            loop.call_soon_threadsafe(lines.put_nowait, line)
        loop.call_soon_threadsafe(lines.put_nowait, None)

    # A thread reads, since the standard input may be a file, which asyncio does not read.
    threading.Thread(target=read, daemon=True).start()
    server = Server(writer, keys)
    status = 0
    while (line := await lines.get()) is not None:
        try:
            server.handle(line)
        except ProtocolError as error:
            print(f"robust_kbench_llm: {error}", file=sys.stderr)
            status = 2
            break
    await server.stop()
    return status


def main(arguments):
    parser = argparse.ArgumentParser(prog="robust_kbench_llm")
    parser.add_argument("--keys-fd", type=int, help="descriptor of the pipe that keys come through")
    options = parser.parse_args(arguments)
    keys_module.forbid_dumps()
    try:
        keys = (keys_module.Keys() if options.keys_fd is None
                else keys_module.read_keys(options.keys_fd))
    except (keys_module.KeysError, OSError) as error:
        sys.exit(f"robust_kbench_llm: {error}")
    sys.stderr = keys_module.RedactedStream(sys.stderr, keys)
    # The output of packages must not come between the events.
    writer = Writer(os.dup(sys.stdout.fileno()), keys.redact)
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())

    async def run():
        status = await serve(sys.stdin.buffer, writer, keys)
        sys.stderr.flush()
        # asyncio would wait for threads that look up names of hosts.
        os._exit(status)

    try:
        asyncio.run(run())
    except BrokenPipeError:
        sys.exit("robust_kbench_llm: rkb has closed the pipe of answers")
