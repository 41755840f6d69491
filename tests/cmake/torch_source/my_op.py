import torch

rows = 6
columns = 9


def scaled(x, weight):
    """Scales each column."""
    return x * weight


def get_inputs():
    return [torch.randn(rows, columns), torch.randn(columns)]
