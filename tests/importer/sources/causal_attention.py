"""A KernelBench problem: attention with a mask that is a buffer, and sizes in a tuple."""

import math

import torch
import torch.nn as nn
import torch.nn.functional as F


class Model(nn.Module):
    """Causal attention of one projection."""

    def __init__(self, features, heads, longest):
        super().__init__()
        self.heads = heads
        self.project = nn.Linear(features, 3 * features, bias=False)
        self.dropout = nn.Dropout(0.0)
        self.register_buffer("mask", torch.tril(torch.ones(longest, longest)).bool())

    def forward(self, x):
        batch, length, features = x.shape
        split = lambda t: t.view(batch, length, self.heads, -1).transpose(1, 2)
        q, k, v = map(split, self.project(x).split(features, dim=2))
        scores = q @ k.transpose(-2, -1) / math.sqrt(q.size(-1))
        scores = scores.masked_fill(~self.mask[:length, :length], float("-inf"))
        y = self.dropout(F.softmax(scores, dim=-1)) @ v
        return y.transpose(1, 2).contiguous().view(batch, length, features)


shape = (2, 12, 32)
num_heads = 4


def get_inputs():
    return [torch.randn(shape)]


def get_init_inputs():
    return [shape[2], num_heads, 64]
