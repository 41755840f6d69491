"""A robust-kbench folder: backward."""

import torch
import torch.nn as nn
from func_forward import Model, forward_fn, get_inputs  # noqa: F401


class AutogradFunction(torch.autograd.Function):
    backward_fn = None

    @staticmethod
    def forward(ctx, x, weight, bias=None, eps=1e-5, power=2):
        ctx.save_for_backward(x, weight)
        ctx.eps = eps
        return forward_fn(x, weight, bias, eps, power)

    @staticmethod
    def backward(ctx, grad_output):
        grad_weight, grad_x = AutogradFunction.backward_fn(ctx.saved_tensors, grad_output, ctx.eps)
        return grad_x, grad_weight, None, None, None
