"""A KernelBench problem: a linear layer, a ReLU and a learned scale."""

import torch
import torch.nn as nn


class Model(nn.Module):
    """Linear layer, ReLU, and a scale of each feature."""

    def __init__(self, in_features, out_features):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = nn.Parameter(torch.ones(out_features))

    def forward(self, x):
        return torch.relu(self.linear(x)) * self.scale


batch_size = 64
in_features = 128
out_features = 32 * 2


def get_inputs():
    return [torch.rand(batch_size, in_features)]


def get_init_inputs():
    return [in_features, out_features]
