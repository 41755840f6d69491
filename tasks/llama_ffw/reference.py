"""llama_ffw in plain PyTorch. Functions take a kernel's arguments in its order."""

import torch.nn.functional as F


def forward(x, gate_proj, up_proj, down_proj):
    """LLaMA's gated feed-forward block, (silu(x G^T) * (x U^T)) D^T.

    Args:
        x: (batch, tokens, features)
        gate_proj: (up_features, features)
        up_proj: (up_features, features)
        down_proj: (features, up_features)

    Returns:
        (batch, tokens, features)
    """
    gate = F.silu(F.linear(x, gate_proj))
    return F.linear(gate * F.linear(x, up_proj), down_proj)
