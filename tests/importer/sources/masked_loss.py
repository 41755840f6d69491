"""A KernelBench problem: probabilities, integer classes and a bool mask as inputs."""

import torch
import torch.nn as nn


class Model(nn.Module):
    """Mean negative log likelihood over the chosen rows."""

    def forward(self, probabilities, targets, chosen):
        losses = -torch.log(probabilities).gather(1, targets.unsqueeze(1)).squeeze(1)
        return (losses * chosen).sum() / probabilities.shape[0]


rows = 96
classes = 10


def get_inputs():
    scale = torch.rand(())
    return [(torch.rand(rows, classes) * scale).softmax(dim=-1),
            torch.randint(0, classes, (rows,)), torch.rand(rows) > 0.5]


def get_init_inputs():
    return []
