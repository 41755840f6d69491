"""Distributions of tensors of which only the values are known."""

import torch

from .refusal import Refusal

MAX_SAMPLE = 1 << 16


def constant_value(tensor):
    """The value of all elements, or None if they differ."""
    if tensor.numel() == 0:
        return None
    first = tensor.reshape(-1)[0]
    return first.item() if bool((tensor == first).all()) else None


def distribution_of(tensor, name):
    """Refuses values with a structure that independent draws would not have."""
    constant = constant_value(tensor)
    if constant is not None:
        return {"kind": "constant", "a": float(constant), "spread": 0.0}
    flat = tensor.reshape(-1)
    if not tensor.is_floating_point():
        check_unstructured(tensor, flat, name)
        return {"kind": "integers", "a": int(flat.min()), "b": int(flat.max()) + 1}
    check_unstructured(tensor, flat, name)
    sample = flat[torch.randperm(flat.numel())[:MAX_SAMPLE]].double()
    mean, deviation = sample.mean().item(), sample.std().item() if sample.numel() > 1 else 0.0
    low, high = sample.min().item(), sample.max().item()
    kurtosis = ((sample - mean) ** 4).mean().item() / max(deviation, 1e-30) ** 4
    if sample.numel() < 64 or abs(kurtosis - 3.0) < 0.4:
        return {"kind": "normal", "a": mean, "b": deviation}
    if abs(kurtosis - 1.8) < 0.2:
        return {"kind": "uniform", "a": low, "b": high}
    raise Refusal(f"{name} of shape {list(tensor.shape)} is neither normal nor uniform nor constant",
                  "make it by one of torch.rand, randn, randint, zeros, ones and operators on it")


def check_unstructured(tensor, flat, name):
    values = flat.double()
    structure = None
    if flat.numel() > 8 and bool((values[1:] >= values[:-1]).all()):
        structure = "sorted"
    elif flat.numel() > 8 and not tensor.is_floating_point() and \
            flat.unique().numel() == flat.numel():
        structure = "a permutation"
    elif tensor.dim() >= 2 and tensor.shape[-1] == tensor.shape[-2] and tensor.shape[-1] > 2:
        if torch.equal(tensor, tensor.mT):
            structure = "symmetric"
        elif not tensor.tril(-1).any() or not tensor.triu(1).any():
            structure = "triangular"
    if structure is None and tensor.is_floating_point() and tensor.dim() and tensor.shape[-1] > 2 \
            and torch.allclose(tensor.sum(-1), torch.ones((), dtype=tensor.dtype)):
        structure = "a distribution along its rows"
    if structure is not None:
        raise Refusal(f"{name} of shape {list(tensor.shape)} is {structure}, which numbers drawn "
                      "one by one are not",
                      "make it by one random tensor and operators on it, such as torch.sort")
