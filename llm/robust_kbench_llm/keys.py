"""The keys of endpoints: they come through a pipe, and no text that leaves the helper has one."""

import ctypes
import json
import os

from robust_kbench_llm.spellings import pattern_of, without_cut_end

MOST_BYTES = 1 << 20  # a pipe that never ends must not fill the memory
LEAST_CHARACTERS = 8
PR_SET_DUMPABLE = 4
REDACTED = "[key]"


class KeysError(Exception):
    """The pipe holds no keys. The text names variables, never a key."""


class Keys:
    """The keys by the variables that name them."""

    def __init__(self, by_variable=None):
        self._by_variable = dict(by_variable or {})
        # A key may begin with another one, so the longest are removed first.
        self._secrets = sorted(set(self._by_variable.values()), key=len, reverse=True)
        self._patterns = [pattern_of(secret) for secret in self._secrets]

    def get(self, variable):
        """The key, or None where there is none."""
        return self._by_variable.get(variable)

    def redact(self, text):
        """The text without any key in any spelling (spellings.py)."""
        for pattern in self._patterns:
            text = pattern.sub(REDACTED, text)
        for secret in self._secrets:
            text = without_cut_end(text, secret, LEAST_CHARACTERS, REDACTED)
        return text


class RedactedStream:
    """A text stream that no key gets into, such as stderr with the output of packages."""

    def __init__(self, stream, keys):
        self._stream = stream
        self._keys = keys

    def write(self, text):
        return self._stream.write(self._keys.redact(text))

    def __getattr__(self, name):
        return getattr(self._stream, name)


def forbid_dumps():
    """Keeps other processes of the user from this one's memory and its files in /proc."""
    if ctypes.CDLL(None, use_errno=True).prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_DUMPABLE, 0) failed")


def read_keys(descriptor):
    """Reads one JSON object from a pipe and closes it. Raises KeysError where it holds no keys."""
    with os.fdopen(descriptor, "rb") as pipe:
        text = pipe.read(MOST_BYTES)
    try:
        keys = json.loads(text)
    except ValueError:  # its text would quote the keys
        raise KeysError("the pipe of keys holds no JSON") from None
    if not isinstance(keys, dict):
        raise KeysError("the pipe of keys holds no JSON object")
    for variable, key in keys.items():
        # Any other text would not fit into an HTTP header.
        if not isinstance(key, str) or not key.isascii() or not key.isprintable() or " " in key:
            raise KeysError(f"the key {variable} is no text of printable ASCII without spaces")
        # A shorter key would match ordinary words, and be removed from all output.
        if len(key) < LEAST_CHARACTERS:
            raise KeysError(f"the key {variable} has {len(key)} characters, and a key has at least "
                            f"{LEAST_CHARACTERS}; correct it or leave it out")
    return Keys(keys)
