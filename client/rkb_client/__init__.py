"""Evaluates kernels by RobustKBench, through `rkb serve`.

  with Client() as client:
      evaluation = client.evaluate("mnist_linear", source)
      print(evaluation.verdict, evaluation.speedup, evaluation.record)

docs/python.md of RobustKBench describes it, and how a trainer takes a reward from it.
"""

from .client import Client
from .errors import NoVerdictError, RequestError, RkbError, ServerError
from .evaluation import Evaluation, Progress, Stage
from .kernel import Kernel, KernelLike
from .submission import Submission

__all__ = ["Client", "Evaluation", "Kernel", "KernelLike", "NoVerdictError", "Progress",
           "RequestError", "RkbError", "ServerError", "Stage", "Submission"]
