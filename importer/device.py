"""The device that a module runs on while it is imported."""

import torch

from .refusal import Refusal


def prepare(device):
    """Refuses a missing GPU. On an existing one, float32 is not rounded to TF32."""
    if device == "cpu":
        return
    if not torch.cuda.is_available():
        raise Refusal("--device cuda asks for a GPU, and torch finds none here",
                      "import it without --device, or on a machine with a GPU")
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
