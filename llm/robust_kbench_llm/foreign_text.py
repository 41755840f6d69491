"""Puts foreign text, such as sources, errors and earlier answers, between marked lines."""

import re
import unicodedata

import jinja2

# Most characters of one text that a prompt shows. The rest is cut, and the closing line tells how
# many.
LIMITS = {
    "source": 60_000,
    "answer": 20_000,
    "message": 6_000,
    "list": 8_000,
    "instructions": 8_000,  # the most that tuning takes (harness/verify/verifier_tuning.cpp)
    "line": 200,
}
# Other characters after which a reader, a person or a tokeniser, may begin a new line.
LINE_SEPARATORS = frozenset("\v\f\r\x1c\x1d\x1e\x85\u2028\u2029")
# Control, format (bidirectional ones, too), surrogate, private and unassigned characters.
INVISIBLE_CATEGORIES = frozenset(("Cc", "Cf", "Cs", "Co", "Cn"))
# Lines that only a prompt may have: ends of fences, the definition of the mark, the form of a
# verdict.
OWN_LINE = re.compile(
    r"\[\s*(\S+\s+(begin|end)\s*:|(begin|end)\s*:\s)|^\s*(```|~~~)"
    r"|\bmark of (this|the) message\b|[\"']mark[\"']\s*:|final verification answer", re.IGNORECASE)


def visible_text(text):
    """The text with plain line ends, and without characters that change what a reader sees."""
    characters = []
    for character in text.replace("\r\n", "\n"):
        if character in LINE_SEPARATORS:
            characters.append("\n")
        elif character in "\n\t" or unicodedata.category(character) not in INVISIBLE_CATEGORIES:
            characters.append(character)
    return "".join(characters)


def one_line(text):
    """The text as one line of at most LIMITS["line"] characters."""
    line = " ".join(visible_text(text).split())
    limit = LIMITS["line"]
    return line if len(line) <= limit else line[:limit - 3] + "..."


@jinja2.pass_context
def fence(context, text, label, kind):
    """The text between two lines with the mark of the prompt.

    Args:
        text: from outside; whatever it says, it cannot leave the fence
        label: what it is, in the prompt's own words
        kind: a key of LIMITS
    """
    mark = context["mark"]
    shown = visible_text(text).replace(mark, "(mark)").strip("\n")
    cut = len(shown) - LIMITS[kind]
    note = ""
    if cut > 0:
        shown = shown[:LIMITS[kind]]
        note = f", {cut} further characters are left out"
    return f"[{mark} begin: {label}]\n{shown}\n[{mark} end: {label}{note}]"


@jinja2.pass_context
def unfenced(context, text, kind):
    """A model's text that a reader has to follow, so that no fence can hold it.

    Lines that look like the prompt's own are removed, also those in other widths of letters.

    Args:
        kind: a key of LIMITS
    """
    lines = [line for line in
             visible_text(text).replace(context["mark"], "(mark)").strip().split("\n")
             if not OWN_LINE.search(unicodedata.normalize("NFKC", line))]
    shown = "\n".join(lines)
    cut = len(shown) - LIMITS[kind]
    if cut > 0:
        shown = f"{shown[:LIMITS[kind]]}\n({cut} further characters are left out.)"
    return shown
