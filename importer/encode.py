"""Graphs as docs/packages.md writes them."""

import base64
import math

import torch

from .refusal import Refusal

DTYPES = {str(dtype)[len("torch."):]: dtype for dtype in (
    torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.int64, torch.int32,
    torch.int16, torch.int8, torch.uint8, torch.bool)}
MEMORY_FORMATS = {str(form)[len("torch."):]: form for form in (
    torch.contiguous_format, torch.preserve_format, torch.channels_last, torch.channels_last_3d)}
MAX_CONSTANT_BYTES = 16 << 20


def dtype_name(dtype):
    name = str(dtype)[len("torch."):]
    if name not in DTYPES:
        raise Refusal(f"a tensor is {name}, a dtype that kernels do not know",
                      "use one of " + ", ".join(DTYPES))
    return name


def encoded_argument(argument, number_of, name):
    """`number_of` gives the number of a Ref in the graph."""
    from .recorder import Ref
    encoded = lambda item: encoded_argument(item, number_of, name)
    if isinstance(argument, Ref):
        return {"t": number_of(argument.value)}
    if argument is None or isinstance(argument, (bool, int, str)):
        return argument
    if isinstance(argument, float):
        if math.isfinite(argument):
            return argument
        return {"float": "nan" if math.isnan(argument) else "inf" if argument > 0 else "-inf"}
    if isinstance(argument, (list, tuple)):
        return [encoded(item) for item in argument]
    if isinstance(argument, torch.dtype):
        return {"dtype": dtype_name(argument)}
    if isinstance(argument, torch.memory_format):
        return {"memory_format": str(argument)[len("torch."):]}
    if isinstance(argument, torch.layout):
        return {"layout": str(argument)[len("torch."):]}
    if isinstance(argument, torch.device):
        return {"device": "call"}
    raise Refusal(f"{name} is called with a {type(argument).__name__}, which no graph holds",
                  "call it with tensors, numbers, booleans and texts")


def encoded_constant(tensor):
    tensor = tensor.detach().cpu().contiguous()
    flat = tensor.reshape(-1).view(torch.uint8) if tensor.numel() else tensor.reshape(-1)
    return {"dtype": dtype_name(tensor.dtype), "shape": list(tensor.shape),
            "data": base64.b64encode(bytes(flat.untyped_storage())[
                flat.storage_offset():flat.storage_offset() + flat.numel()]).decode()}


def decoded_constant(constant):
    data = bytearray(base64.b64decode(constant["data"]))
    dtype = DTYPES[constant["dtype"]]
    if not data:
        return torch.empty(constant["shape"], dtype=dtype)
    return torch.frombuffer(data, dtype=dtype).clone().reshape(constant["shape"])
