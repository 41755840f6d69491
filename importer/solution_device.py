"""Runs code for a GPU while only shapes are followed. All its requests to CUDA succeed."""

import contextlib

import torch
from torch.overrides import TorchFunctionMode


def on_host(argument):
    """The argument with the CPU in place of a GPU."""
    if isinstance(argument, torch.device) and argument.type == "cuda":
        return torch.device("cpu")
    if isinstance(argument, str) and argument.split(":")[0] == "cuda":
        return "cpu"
    return argument


class OnHost(TorchFunctionMode):
    """Keeps tensors on the CPU, though they claim to be on a GPU."""

    def __torch_function__(self, func, types, args=(), kwargs=None):
        name = getattr(func, "__name__", "")
        if func is torch.Tensor.cuda:
            return args[0]
        if name == "__get__" and getattr(func, "__self__", None) is torch.Tensor.is_cuda:
            return True
        if func is torch.Tensor.cpu:
            return args[0]
        kwargs = {key: on_host(value) for key, value in (kwargs or {}).items()}
        return func(*[on_host(argument) for argument in args], **kwargs)


@contextlib.contextmanager
def as_if_on_gpu():
    said = {"is_available": lambda: True, "synchronize": lambda *_: None,
            "current_device": lambda: 0, "device_count": lambda: 1}
    before = {name: getattr(torch.cuda, name) for name in said}
    module_cuda = torch.nn.Module.cuda
    torch.nn.Module.cuda = lambda self, *_: self
    for name, function in said.items():
        setattr(torch.cuda, name, function)
    try:
        with OnHost():
            yield
    finally:
        torch.nn.Module.cuda = module_cuda
        for name, function in before.items():
            setattr(torch.cuda, name, function)
