"""mnist_conv_relu_pool in plain PyTorch. Functions take a kernel's arguments in its order."""

import torch
import torch.nn.functional as F


def forward(x, weights, biases):
    """Convolution with stride 1 and no padding, ReLU, max pooling over 2 x 2 windows.

    Args:
        x: (batch, in_channels, height, width)
        weights: (out_channels, in_channels, kernel_size, kernel_size)
        biases: (out_channels,)

    Returns:
        (batch, out_channels, (height - kernel_size + 1) // 2, (width - kernel_size + 1) // 2)
    """
    return F.max_pool2d(F.relu(F.conv2d(x, weights, biases)), 2)


def backward(x, weights, biases, grad_output):
    """The gradients of x, weights and biases, by autograd of forward."""
    inputs = [tensor.detach().requires_grad_() for tensor in (x, weights, biases)]
    return torch.autograd.grad(forward(*inputs), inputs, grad_output)
