"""A kernel under evaluation."""

from __future__ import annotations

import concurrent.futures
import itertools
import threading
from typing import Any, Callable, Iterator, List, Mapping, Optional

from .errors import NoVerdictError, RequestError
from .evaluation import Evaluation, Progress, Stage

# With these verdicts the harness or the machine is to blame, and nothing is known of the kernel.
NO_VERDICTS = ("harness_error", "skipped")
EVALUATION_FIELDS = ("verdict", "cheat_class", "reason", "stage", "speedup", "speedup_low",
                     "speedup_high", "speedup_replayed", "against", "record")


class Submission(concurrent.futures.Future):
    """A `concurrent.futures.Future` of an `Evaluation`.

    `result()` raises `RequestError`, `NoVerdictError` or `ServerError` where there is no verdict, and
    `concurrent.futures.CancelledError` after a cancellation. `concurrent.futures.as_completed()`
    takes several submissions, and `asyncio.wrap_future()` makes one awaitable.
    """

    def __init__(self, name: str, line: bytes, ask_to_cancel: Callable[[Submission], None]):
        super().__init__()
        self.id = name
        self.line = line  # as it is sent
        self._ask_to_cancel = ask_to_cancel
        self._news = threading.Condition()
        self._stages: List[Stage] = []
        self._progress: Optional[Progress] = None

    @property
    def progress(self) -> Optional[Progress]:
        """How far the evaluation is, or None where it has not begun."""
        return self._progress

    def stages(self) -> Iterator[Stage]:
        """Yields each stage as it ends. The iteration ends with the evaluation, however that ends."""
        for index in itertools.count():
            with self._news:
                self._news.wait_for(lambda: len(self._stages) > index or self.done())
                if len(self._stages) <= index:
                    return
            yield self._stages[index]

    def cancel(self) -> bool:
        """Asks the server to end the evaluation, unless it has ended. Returns whether it asked.

        The submission is cancelled when the server confirms it. A verdict may come before that.
        """
        if self.done():
            return False
        self._ask_to_cancel(self)
        return True

    def take(self, message: Mapping[str, Any]) -> None:
        """Takes a line of the server about this submission, but no `busy`. For the client alone."""
        if message["type"] == "progress":
            self._progress = Progress(message["stage"], message["done"], message["total"],
                                      message["text"])
        elif message["type"] in ("stage", "rival"):
            with self._news:
                self._stages.append(Stage(message.get("stage", "time"), message["verdict"],
                                          message["cheat_class"], message["reason"],
                                          message.get("rival")))
                self._news.notify_all()
        elif message["type"] == "error":
            self.end_with(RequestError(message["reason"]))
        elif message["type"] == "final":
            self._finish(message)

    def end_with(self, error: BaseException) -> None:
        """Ends without an evaluation. For the client alone."""
        self.set_exception(error)
        self._wake()

    def end_cancelled(self) -> None:
        """Ends as cancelled. For the client alone."""
        super().cancel()
        self.set_running_or_notify_cancel()
        self._wake()

    def _finish(self, final: Mapping[str, Any]) -> None:
        if final["status"] == "cancelled":
            self.end_cancelled()
        elif final["status"] != "done":
            self.end_with(RequestError(final["reason"]))
        else:
            evaluation = Evaluation(**{name: final.get(name) for name in EVALUATION_FIELDS})
            if evaluation.verdict in NO_VERDICTS:
                self.end_with(NoVerdictError(evaluation))
            else:
                self.set_result(evaluation)
                self._wake()

    def _wake(self) -> None:
        with self._news:
            self._news.notify_all()
