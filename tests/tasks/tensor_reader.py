"""Reads the output of TensorWriter (tensor_writer.hpp)."""

import math

import torch


class TensorReader:
    def __init__(self, directory):
        self._bytes = bytearray((directory / "tensors.bin").read_bytes())

    def read(self, description):
        if description is None:
            return None
        count = math.prod(description["shape"])
        dtype = getattr(torch, description["dtype"])
        flat = torch.frombuffer(
            self._bytes, dtype=dtype, count=count, offset=description["offset"]
        )
        return flat.clone().reshape(description["shape"])
