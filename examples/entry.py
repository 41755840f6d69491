"""The entry that the examples evaluate kernels of, which environment variables name."""

import json
import os
import pathlib

from rkb_client import Client

TASK = os.environ.get("RKB_TASK", "mnist_linear")
DIRECTION = os.environ.get("RKB_DIRECTION", "forward")
SCOPE = json.loads(os.environ.get("RKB_SCOPE", "{}"))


def evaluate(path):
    """Returns the evaluation of the kernel at `path`, by the server that the environment names."""
    with Client() as client:
        return client.evaluate(TASK, pathlib.Path(path), direction=DIRECTION, scope=SCOPE)
