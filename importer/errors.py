"""Translates errors of a source or of torch."""

import re

import torch

from .refusal import Refusal, one_line


def of_error(error):
    text = one_line(error)
    if isinstance(error, (MemoryError, torch.OutOfMemoryError)) or "can't allocate" in text:
        return Refusal(f"memory does not suffice: {text}", "import it with --shrink")
    if re.search(r"cuda|nvidia", text, re.IGNORECASE):
        return Refusal(f"the module is for CUDA only, and was imported without a GPU: {text}",
                       "import it by --device cuda, on a machine with a GPU")
    return Refusal(f"forward fails: {text}",
                   "see that Model(*get_init_inputs())(*get_inputs()) works here")
