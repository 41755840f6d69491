import torch
import torch.nn as nn


class Model(nn.Module):
    def forward(self, x):
        return x * 2.0 if x.sum() > 0 else x


def get_inputs():
    return [torch.rand(8, 8)]


def get_init_inputs():
    return []
