"""The reason why a source cannot become a task."""


class Refusal(Exception):
    """A refusal, whose reason names the source and the problem, with a remedy."""

    def __init__(self, reason, remedy):
        super().__init__(reason)
        self.reason = reason
        self.remedy = remedy


def one_line(error, most=300):
    """An exception as one line of text."""
    text = " ".join(str(error).split())
    return f"{type(error).__name__}: {text[:most]}" if text else type(error).__name__
