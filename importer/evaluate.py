"""Runs a package's graph, in its own dtypes or with every floating tensor in float64."""

import contextlib
import functools

import torch

from .encode import DTYPES, MEMORY_FORMATS, decoded_constant


@functools.lru_cache(None)
def operator_of(name):
    base, _, overload = name.partition(".")
    namespace, _, op = base.partition("::")
    return getattr(getattr(getattr(torch.ops, namespace), op), overload or "default")


@contextlib.contextmanager
def default_dtype(dtype):
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


class Evaluator:
    def __init__(self, graph, in_float64, device):
        self.graph = graph
        self.in_float64 = in_float64
        self.device = device
        self.constants = [self.widened(decoded_constant(c).to(device))
                          for c in graph["constants"]]

    def widened(self, tensor):
        if self.in_float64 and tensor is not None and tensor.is_floating_point():
            return tensor.double()
        return tensor

    def decoded(self, argument, tensors):
        if isinstance(argument, list):
            return [self.decoded(item, tensors) for item in argument]
        if not isinstance(argument, dict):
            return argument
        (kind, value), = argument.items()
        if kind == "t":
            return tensors[value]
        if kind == "float":
            return float(value)
        if kind == "dtype":
            dtype = DTYPES[value]
            return torch.float64 if self.in_float64 and dtype.is_floating_point else dtype
        if kind == "memory_format":
            return MEMORY_FORMATS[value]
        return torch.strided if kind == "layout" else self.device

    def __call__(self, inputs):
        """The outputs, as a list."""
        tensors = [self.widened(t) for t in inputs] + list(self.constants)
        with default_dtype(torch.float64 if self.in_float64 else torch.float32):
            for node in self.graph["nodes"]:
                args = [self.decoded(a, tensors) for a in node["args"]]
                kwargs = {k: self.decoded(a, tensors) for k, a in node.get("kwargs", {}).items()}
                result = operator_of(node["op"])(*args, **kwargs)
                returned = []
                for item in result if isinstance(result, (list, tuple)) else [result]:
                    returned += item if isinstance(item, (list, tuple)) else [item]
                tensors += [t for t in returned if isinstance(t, torch.Tensor)]
        return [tensors[i] for i in self.graph["outputs"]]


def run(graph, inputs, in_float64=False, device="cpu"):
    return Evaluator(graph, in_float64, device)(inputs)
