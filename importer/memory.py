"""The limits of a machine's memory."""

import os

import torch

from .refusal import Refusal

# A config holds inputs and outputs in float32 and in float64.
COPIES = 3
SHARE = 0.8


class TooLarge(Refusal):
    """The machine cannot hold the tensors of a config."""


def limit_of(device):
    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    memory = SHARE * pages
    if device != "cpu" and torch.cuda.is_available():
        memory = min(memory, SHARE * torch.cuda.get_device_properties(0).total_memory)
    return memory


def need_of(trace):
    return COPIES * trace.bytes


def check_memory(trace, device):
    check_bytes(trace.bytes, device)


def check_bytes(given, device):
    need, limit = COPIES * given, limit_of(device)
    if need > limit:
        raise TooLarge(f"tensors of {given / 2**30:.1f} GiB, with their float64 reference "
                      f"{need / 2**30:.1f} GiB, exceed the {limit / 2**30:.1f} GiB that this "
                      "machine can give",
                      "import it with --shrink, or on a machine with more memory")
