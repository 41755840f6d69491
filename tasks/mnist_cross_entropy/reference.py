"""mnist_cross_entropy in plain PyTorch. Functions take a kernel's arguments in its order."""

import torch
import torch.nn.functional as F


def forward(predictions, targets):
    """The mean cross entropy of a batch.

    Args:
        predictions: logits (batch, classes)
        targets: classes (batch,), int64

    Returns:
        A scalar tensor.
    """
    return F.cross_entropy(predictions, targets)


def backward(grad_output, predictions, targets):
    """The gradient of predictions, by autograd of forward. grad_output is a scalar tensor."""
    predictions = predictions.detach().requires_grad_()
    return torch.autograd.grad(forward(predictions, targets), (predictions,), grad_output)
