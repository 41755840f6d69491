"""The tokens that an endpoint reports for one attempt."""

import dataclasses

# rkb accepts no greater count of tokens or of millionths of a dollar.
GREATEST = 10**12


@dataclasses.dataclass(frozen=True)
class Usage:
    """Counts of tokens. The input includes tokens read from and written to a cache.

    The output includes tokens of thoughts (`reasoning`).
    """

    input: int
    cached_input: int
    cache_write: int
    output: int
    reasoning: int

    def bounded(self):
        """The same usage without any count above GREATEST."""
        whole, output = min(self.input, GREATEST), min(self.output, GREATEST)
        cached = min(self.cached_input, whole)
        return Usage(whole, cached, min(self.cache_write, whole - cached), output,
                     min(self.reasoning, output))

    def as_json(self):
        return {"input_tokens": self.input, "cached_input_tokens": self.cached_input,
                "cache_write_tokens": self.cache_write, "output_tokens": self.output,
                "reasoning_tokens": self.reasoning}


def make_usage(**counts):
    """A Usage, or None where a count is no whole number of tokens or a part exceeds its whole."""
    for name, count in counts.items():
        if count is None and name not in ("input", "output"):
            counts[name] = 0
        elif not isinstance(count, int) or isinstance(count, bool) or count < 0:
            return None
    usage = Usage(**counts)
    whole = (usage.cached_input + usage.cache_write <= usage.input
             and usage.reasoning <= usage.output)
    return usage if whole else None
