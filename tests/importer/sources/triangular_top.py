"""A KernelBench problem with a triangular input, a number among the inputs and two outputs."""

import torch
import torch.nn as nn


class Model(nn.Module):
    """The largest elements of each row of a product, and where they are."""

    def __init__(self, k):
        super().__init__()
        self.k = k

    def forward(self, a, b, factor):
        values, indices = torch.topk(torch.matmul(a, b) * factor, self.k, dim=1)
        return values, indices


N = 48


def get_inputs():
    return [torch.tril(torch.randn(N, N)), torch.randn(N, N) * 2 + 1, 0.5]


def get_init_inputs():
    return [5]
