"""Reads an endpoint's answer with status 200: a stream of events, or a body in its place."""

import asyncio
import json
import re

from robust_kbench_llm.http_status import shown
from robust_kbench_llm.transport import AttemptFailed

MOST_BYTES = 16 << 20  # of one event or a whole answer: far above the longest that is kept
DRAIN_S = 0.5  # for the rest after the last event, so that the connection can be reused
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
EVENT_LINE = re.compile(rb"(data|event|id|retry)?(:|$)")
LAST = b"[DONE]"


async def lines_of(chunks, host):
    """Each line of a body without its end. Raises AttemptFailed for one without end."""
    rest = b""
    is_first = True
    async for chunk in chunks:
        *lines, rest = (rest + chunk).split(b"\n")
        for line in lines:
            yield line.removeprefix(BYTE_ORDER_MARK if is_first else b"").removesuffix(b"\r")
            is_first = False
        if len(rest) > MOST_BYTES:
            raise AttemptFailed("truncated_body", f"{host} sent a line of more than {MOST_BYTES} "
                                "bytes; it was cut off", is_final=True)
    if rest:
        yield rest.removeprefix(BYTE_ORDER_MARK if is_first else b"").removesuffix(b"\r")


async def events_of(response, host):
    """The JSON value of each event of a stream, or of a whole answer without a stream.

    Raises AttemptFailed where it is neither, and ValueError for an event that is no JSON.
    """
    chunks = response.aiter_bytes()
    lines = lines_of(chunks, host)
    data = []
    async for line in lines:
        if not data and not EVENT_LINE.match(line):
            yield await whole_answer(line, lines, host)
            return
        field, _, value = line.partition(b":")
        if field == b"data":
            data.append(value.removeprefix(b" "))
        elif not line and data:
            event, data = b"\n".join(data), []
            if event.startswith(LAST):
                break
            yield json.loads(event)
    else:
        if data and not data[0].startswith(LAST):
            yield json.loads(b"\n".join(data))
        return
    await drain(lines)


async def whole_answer(first, lines, host):
    """The JSON value of a body that is no stream."""
    body = first
    async for line in lines:
        body += b"\n" + line
        if len(body) > MOST_BYTES:
            raise AttemptFailed("truncated_body", f"{host} sent more than {MOST_BYTES} bytes; they "
                                "were cut off", is_final=True)
    text = body.decode("utf-8", "replace").strip()
    try:
        return json.loads(text)
    except ValueError as error:
        if text.startswith(("{", "[")):
            raise AttemptFailed("truncated_body", f"{host} sent a part of an answer: "
                                f"{error}") from None
    # A page for people, or a line that is no answer, comes from no model.
    raise AttemptFailed(
        "bad_request", f"{host} answered 200 with {shown(text)}, which is no answer of a model; "
        "check base_url, and whether a login or a proxy stands in front of it", billable=False,
        is_final=True)


async def drain(lines):
    """Reads the end of a body, if it comes soon."""
    import httpx2

    try:
        async with asyncio.timeout(DRAIN_S):
            async for _ in lines:
                pass
    except (TimeoutError, httpx2.HTTPError, AttemptFailed):
        pass
