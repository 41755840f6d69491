import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def cut(x, y, count, block: tl.constexpr):
    at = tl.program_id(0) * block + tl.arange(0, block)
    tl.store(y + at, tl.maximum(tl.load(x + at, mask=at < count), 0.0), mask=at < count)


class ModelNew(nn.Module):
    def __init__(self, in_features, out_features, scale):
        super().__init__()
        self.linear = nn.Linear(in_features, out_features)
        self.scale = scale

    def forward(self, x):
        x = self.linear(x) * self.scale
        y = torch.empty_like(x)
        cut[((x.numel() + 255) // 256,)](x, y, x.numel(), 256)
        return y
