"""The ways in which a text may spell a key: as it is, escaped, in hexadecimal, in base64, reversed.

An endpoint knows its key, and may repeat it in an answer, an error or a header that it quotes.
"""

import base64
import re

# A break between two characters: an end of line, plain or escaped. Quotes and a plus sign may
# separate two parts of a text. All repeats are bounded, so that no text makes the search long.
BETWEEN = r"(?:\\{1,8}[nrt]|[\s\"'\\+]){0,6}"
BYTE_IN_BASE64 = 3  # four base64 characters hold three bytes
PADDING = r"(?i:=|%3d|\\{1,8}u003d){0,2}"


def spelled(character):
    """A pattern for one character, plain or escaped as in JSON, in C, in an address or in HTML."""
    code = ord(character)
    escape = r"\\{1,8}"
    return (rf"(?:\\{{0,8}}{re.escape(character)}|(?i:%(?:25){{0,4}}{code:02x}|{escape}x{code:02x}"
            rf"|{escape}u\{{?0{{0,6}}{code:02x}\}}?|&\#0{{0,6}}{code};|&\#x0{{0,6}}{code:x};))")


def letters(text):
    return BETWEEN.join(map(spelled, text))


def in_base64(key):
    """Patterns for the key at each of its possible positions within a text in base64."""
    found = []
    for before in range(BYTE_IN_BASE64):
        whole = base64.b64encode(b"\0" * before + key.encode()).decode().rstrip("=")
        # The first characters share bits with the preceding byte, and the last may share some with
        # the following byte.
        begin = -(-8 * before // 6)
        end = len(whole) if (before + len(key)) % BYTE_IN_BASE64 == 0 else len(whole) - 1
        inner = [f"(?:{spelled('+')}|-)" if character == "+" else
                 f"(?:{spelled('/')}|_)" if character == "/" else spelled(character)
                 for character in whole[begin:end]]
        rest = "[A-Za-z0-9+/_-]?" if end < len(whole) else ""
        found.append(BETWEEN.join(inner) + rest + PADDING)
    return found


def pattern_of(key):
    """A compiled pattern that matches each spelling of a key."""
    digits = r"[\s:,]{0,2}(?:0x|\\{1,8}x|%)?".join(f"{byte:02x}" for byte in key.encode())
    # In base64 small and large letters differ, elsewhere their case may have been changed.
    anyhow = "|".join((letters(key), letters(key[::-1]), digits))
    return re.compile(f"(?i:{anyhow})|{'|'.join(in_base64(key))}")


def without_cut_end(text, key, least, instead):
    """The text where its end is the beginning of a key, the rest of which was cut off."""
    for length in range(len(key) - 1, least - 1, -1):
        if text.endswith(key[:length]):
            return text[:-length] + instead
    return text
