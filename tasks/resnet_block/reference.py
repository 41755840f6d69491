"""resnet_block in plain PyTorch. Functions take a kernel's arguments in its order."""

import torch.nn.functional as F


def forward(
    x,
    conv1_weight,
    conv1_bias,
    bn1_weight,
    bn1_bias,
    bn1_mean,
    bn1_var,
    conv2_weight,
    conv2_bias,
    bn2_weight,
    bn2_bias,
    bn2_mean,
    bn2_var,
    downsample_weight,
    downsample_bias,
    downsample_bn_weight,
    downsample_bn_bias,
    downsample_bn_mean,
    downsample_bn_var,
    stride,
    eps,
):
    """A residual block of ResNet: two 3 x 3 convolutions with batch norm in inference.

    Args:
        x: (batch, in_channels, height, width)
        conv1_weight: (out_channels, in_channels, 3, 3), applied with `stride`
        conv2_weight: (out_channels, out_channels, 3, 3)
        downsample_weight: (out_channels, in_channels, 1, 1), applied with `stride`; None, as are
            all of downsample_*, where the shortcut is the identity
        conv1_bias, conv2_bias, downsample_bias: (out_channels,) or None
        the weight, bias, mean and var of each batch norm: (out_channels,)
        stride: of the first convolution and of the shortcut
        eps: of each batch norm

    Returns:
        (batch, out_channels, ceil(height / stride), ceil(width / stride))
    """
    out = F.conv2d(x, conv1_weight, conv1_bias, stride=stride, padding=1)
    out = F.relu(F.batch_norm(out, bn1_mean, bn1_var, bn1_weight, bn1_bias, eps=eps))
    out = F.conv2d(out, conv2_weight, conv2_bias, padding=1)
    out = F.batch_norm(out, bn2_mean, bn2_var, bn2_weight, bn2_bias, eps=eps)
    identity = x
    if downsample_weight is not None:
        identity = F.conv2d(x, downsample_weight, downsample_bias, stride=stride)
        identity = F.batch_norm(
            identity,
            downsample_bn_mean,
            downsample_bn_var,
            downsample_bn_weight,
            downsample_bn_bias,
            eps=eps,
        )
    return F.relu(out + identity)
