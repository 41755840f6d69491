"""A reward for the training of language models that write kernels.

`rewards` has the signature of the reward functions of TRL's GRPOTrainer. The data set has a column
`task` beside the prompts. Start `rkb serve --listen unix:PATH` before, and set RKB_SOCKET to PATH.
It needs `pip install ./client`. docs/python.md says why the reward is what it is.
"""

import math
import os
import re

from rkb_client import Client, RkbError

DEVICE = os.environ.get("RKB_DEVICE", "cpu")
SCOPE = {"coverage": "quick"}
FENCED = re.compile(r"```[^\n]*\n(.*?)```", re.DOTALL)


def reward(evaluation):
    """0 for a kernel that was rejected, else 1, and 1 more for each doubling that is proven."""
    if not evaluation.passed:
        return 0.0
    return 1.0 + math.log2(max(1.0, evaluation.score))


def source_of(completion):
    """Returns the last fenced block of a completion, which is a text or a list of messages."""
    text = completion if isinstance(completion, str) else completion[-1]["content"]
    blocks = FENCED.findall(text)
    return blocks[-1] if blocks else None


def rewards(completions, task, **_):
    """Returns a reward for each completion. None stands for one of which nothing is known."""
    with Client() as client:
        sources = [source_of(completion) for completion in completions]
        submissions = [client.submit(name, source, device=DEVICE, scope=SCOPE) if source else None
                       for name, source in zip(task, sources)]
        return [reward_of(submission) for submission in submissions]


def reward_of(submission):
    if submission is None:
        return 0.0  # an answer without a kernel
    try:
        return reward(submission.result())
    except RkbError as error:
        print(f"no reward: {error}")
        return None
