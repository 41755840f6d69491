"""What can go wrong. None of these errors says anything about a kernel."""

from __future__ import annotations

import typing

if typing.TYPE_CHECKING:
    from .evaluation import Evaluation


class RkbError(Exception):
    """An evaluation that gave no verdict."""


class ServerError(RkbError):
    """The server could not be started or reached, or it has ended."""


class RequestError(RkbError):
    """The submission asks for what cannot be, such as a task that does not exist."""


class NoVerdictError(RkbError):
    """The harness failed, or lacked what the kernel needs, such as a GPU or a replay.

    `evaluation` holds what is known, with the verdict `harness_error` or `skipped`.
    """

    def __init__(self, evaluation: Evaluation):
        super().__init__(f"{evaluation.verdict}: {evaluation.reason}")
        self.evaluation = evaluation
