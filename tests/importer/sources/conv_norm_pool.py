"""A KernelBench problem: convolution, batch norm that trains, an in-place ReLU, pooling."""

import torch
import torch.nn as nn


class Model(nn.Module):
    """Convolution, batch normalization of the batch, ReLU and max pooling."""

    def __init__(self, in_channels, out_channels, kernel_size):
        super().__init__()
        self.conv = nn.Conv2d(in_channels, out_channels, kernel_size, padding=1)
        self.norm = nn.BatchNorm2d(out_channels)
        self.relu = nn.ReLU(inplace=True)
        self.pool = nn.MaxPool2d(2)

    def forward(self, x):
        return self.pool(self.relu(self.norm(self.conv(x))))


batch_size = 4
in_channels = 3
out_channels = 8
height = width = 16
kernel_size = 3


def get_inputs():
    return [torch.randn(batch_size, in_channels, height, width)]


def get_init_inputs():
    return [in_channels, out_channels, kernel_size]
