import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = nn.Parameter(torch.randn(8, device="cuda"))

    def forward(self, x):
        return x.cuda() * self.weight


def get_inputs():
    return [torch.rand(8, 8)]


def get_init_inputs():
    return []
