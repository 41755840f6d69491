"""A robust-kbench folder: forward."""

import torch
import torch.nn as nn


def forward_fn(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor = None,
               eps: float = 1e-5, power: int = 2) -> torch.Tensor:
    """Divides each row by its root mean square. Then it scales."""
    y = x * torch.rsqrt(x.pow(power).mean(-1, keepdim=True) + eps) * weight
    return y if bias is None else y + bias


class Model(nn.Module):
    def __init__(self, num_features: int = 64, eps: float = 1e-5, init_method: str = "ones"):
        super().__init__()
        weight = torch.ones(num_features) if init_method == "ones" else torch.randn(num_features)
        self.weight = nn.Parameter(weight)
        self.eps = eps

    def forward(self, x, fn=forward_fn):
        return fn(x, self.weight, eps=self.eps)


def get_inputs(batch_size: int = 8, num_features: int = 64):
    return [torch.randn(batch_size, num_features)]


input_names = ["x"]
