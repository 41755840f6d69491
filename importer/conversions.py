"""Modules that convert their parameters, by .half() or .cuda(), where tensors have no data."""

import contextlib
import unittest.mock

import torch


@contextlib.contextmanager
def replacing_parameters():
    """Replaces parameters that a conversion would swap, which torch refuses for recorded ones.

    A parameter that several modules share is converted once.
    """
    converted = {}  # by the id of the parameter, which is kept with it

    def apply(self, convert, recurse=True):
        if recurse:
            for module in self.children():
                module._apply(convert)
        for name, parameter in self._parameters.items():
            if parameter is None:
                continue
            if id(parameter) not in converted:
                with torch.no_grad():
                    new = torch.nn.Parameter(convert(parameter), parameter.requires_grad)
                converted[id(parameter)] = parameter, new
            self._parameters[name] = converted[id(parameter)][1]
        for name, buffer in self._buffers.items():
            if buffer is not None:
                self._buffers[name] = convert(buffer)
        return self

    with unittest.mock.patch.object(torch.nn.Module, "_apply", apply):
        yield
