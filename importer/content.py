"""Tensors of a point, drawn from its distributions, for measuring at import."""

import contextlib

import torch

from .encode import DTYPES
from .evaluate import run


def raw(distribution, shape, dtype, generator):
    kind, a, b = distribution["kind"], distribution["a"], distribution.get("b")
    if kind == "constant":
        return torch.full(shape, a, dtype=dtype)
    if kind == "integers":
        return torch.randint(a, b, shape, generator=generator).to(dtype)
    numbers = torch.empty(shape, dtype=torch.float32)
    if kind == "normal":
        return numbers.normal_(a, b, generator=generator).to(dtype)
    return numbers.uniform_(a, b, generator=generator).to(dtype)


def tensor_of(spec, graphs, generator):
    """The tensor of a spec; None if it is absent."""
    distribution = spec["distribution"]
    if distribution is None:
        return None
    if "then" not in distribution:
        return raw(distribution, spec["shape"], DTYPES[spec["dtype"]], generator)
    dtype = torch.int64 if distribution["kind"] == "integers" else torch.float32
    draw = raw(distribution, spec["shape"], dtype, generator)
    return run(graphs[distribution["then"]], [draw])[0].contiguous()


def tensors_of(point, graphs, seed, device="cpu"):
    """The tensors of a point by name."""
    generator = torch.Generator().manual_seed(seed)
    tensors = {}
    for spec in point["inputs"] + point["weights"]:
        tensor = tensor_of(spec, graphs, generator)
        tensors[spec["name"]] = None if tensor is None else tensor.to(device)
    return tensors


def in_order(graph, tensors):
    return [tensors[name] for name in graph["inputs"]]


def on(device):
    return torch.device(device) if device != "cpu" else contextlib.nullcontext()
