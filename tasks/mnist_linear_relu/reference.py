"""mnist_linear_relu in plain PyTorch. Functions take a kernel's arguments in its order."""

import torch
import torch.nn.functional as F


def forward(x, weights, biases):
    """A linear layer with ReLU, max(x W^T + b, 0).

    Args:
        x: (batch, in)
        weights: (out, in)
        biases: (out,)

    Returns:
        (batch, out)
    """
    return F.relu(F.linear(x, weights, biases))


def backward(grad_output, x, weights, biases):
    """The gradients of x, weights and biases, by autograd of forward."""
    inputs = [tensor.detach().requires_grad_() for tensor in (x, weights, biases)]
    return torch.autograd.grad(forward(*inputs), inputs, grad_output)
