"""Reads limits on tokens in the words with which endpoints refuse a request."""

import dataclasses
import re

LEAST_OUTPUT = 256  # tokens: no useful answer is shorter
BYTES_PER_TOKEN = 3  # of a prompt with code; few tokenisers need more tokens for it


def compiled(*patterns):
    """Patterns in which <N> stands for a number."""
    return [re.compile(pattern.replace("<N>", r"(\d[\d,_]*)"), re.IGNORECASE | re.DOTALL)
            for pattern in patterns]


CONTEXT = compiled(r"context limit: \d+ \+ \d+ > <N>", r"too long: \d+ tokens > <N>",
                   r"context (?:length|size|window|limit)\D{0,30}<N>", r"<N> maximum context")
OUTPUT = compiled(r"> <N>, which is the maximum allowed number of output tokens",
                  r"at most <N> (?:completion|output) tokens",
                  r"max\w*tokens\W.{0,60}?(?:less than or equal to|at most|<=|\[1,)\W{0,3}<N>")
# A prompt with "at least" so many tokens has an unknown number of them.
INPUT = compiled(r"context limit: <N> \+", r"too long: <N> tokens", r"request \(<N> tokens\)",
                 r"prompt contains <N> tokens", r"<N> (?:in the (?:messages|prompt)|of text input)",
                 r"has <N> (?:input|prompt) tokens", r"passed <N> input tokens")
# Refusals for the same reason, without a number.
TOO_LONG = re.compile(r"exceed.{0,40}context|context.{0,40}exceed|context_length_exceeded",
                      re.IGNORECASE | re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Room:
    """Limits of tokens for the whole context and for an output, and the tokens of this input; None:
    unknown."""

    context: int | None
    output: int | None
    input: int | None

    def output_beside(self, input_bytes):
        """The most tokens of output beside a request of so many bytes, or None where unknown."""
        limits = [] if self.output is None else [self.output]
        if self.context is not None:
            taken = self.input if self.input is not None else -(-input_bytes // BYTES_PER_TOKEN)
            limits.append(self.context - taken)
        return min(limits, default=None)


def first_number(patterns, text):
    for pattern in patterns:
        if match := pattern.search(text):
            return int(re.sub(r"\D", "", match[1]))
    return None


def room_of(text):
    """The Room that a refusal describes, or None where it has another reason."""
    context, output = first_number(CONTEXT, text), first_number(OUTPUT, text)
    if context is None and output is None and not TOO_LONG.search(text):
        return None
    return Room(context, output, first_number(INPUT, text))
