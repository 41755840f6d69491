"""The lines of JSON that rkb and the helper exchange (docs/llm_helper.md)."""

import json
import os

VERSION = 1


class ProtocolError(Exception):
    """A line that rkb would never write. It ends the helper."""


class RequestError(Exception):
    """A request that cannot be served. Its text is the reason of the event `failed`."""


def parse_line(line):
    """The object that a line of bytes holds. Raises ProtocolError where it holds none."""
    try:
        request = json.loads(line)
    except ValueError as error:
        raise ProtocolError(f"a line is no JSON: {error}") from None
    if not isinstance(request, dict) or not isinstance(request.get("op"), str):
        raise ProtocolError("a line is no JSON object with a text `op`")
    return request


def member(request, name, kinds, default=None):
    """A member of a request. Raises RequestError where it is missing or of another type.

    `kinds` is a type or a tuple of types. A `default` other than None makes the member optional.
    """
    value = request.get(name, default)
    if not isinstance(value, kinds) or (isinstance(value, bool) and kinds is not bool):
        names = [kind.__name__ for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
        raise RequestError(f"`{request['op']}` needs `{name}` as {' or '.join(names)}, "
                           f"not {type(value).__name__}")
    return value


def optional(request, name, kinds):
    """As member(), but None where the member is missing or null."""
    return None if request.get(name) is None else member(request, name, kinds)


def positive(request, name, kinds=int):
    """As member(), for a number above 0."""
    value = member(request, name, kinds)
    if not value > 0:
        raise RequestError(f"`{request['op']}` needs `{name}` above 0, not {value}")
    return value


def cleaned(value, clean):
    """A JSON value whose texts went through `clean`."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, dict):
        return {clean(name): cleaned(item, clean) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [cleaned(item, clean) for item in value]
    return value


class Writer:
    """Writes events, one a line. Every text passes `redact`, which removes keys."""

    def __init__(self, descriptor, redact):
        self._descriptor = descriptor
        self._redact = redact

    def write(self, event, **members):
        line = json.dumps(cleaned({"event": event, **members}, self._clean), ensure_ascii=False)
        rest = line.encode() + b"\n"
        while rest:
            rest = rest[os.write(self._descriptor, rest):]

    def _clean(self, text):
        # An endpoint may send half of a surrogate pair, which is no UTF-8.
        return self._redact(text).encode("utf-8", "replace").decode()
