"""Terms of the longest sum in each result of torch's low-level operators, and torch's FLOPs.

An entry gives the terms of each output (one number: of all). An output's operands count, too: the
weight gradient of a layer norm needs the moments of a row.
"""

import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils.flop_counter import flop_registry

from .recorder import map_tensors


def size(tensor):
    return math.prod(tensor.shape)


def inner(position):
    return lambda args, out: args[position].shape[-1]


def reduced(args, out):
    """Terms of a reduction of the first argument to the output."""
    first = out[0] if isinstance(out, (tuple, list)) else out
    return max(1, size(args[0]) // max(1, size(first)))


def along(args, out):
    dim = args[1] if len(args) > 1 and isinstance(args[1], int) else -1
    return args[0].shape[dim] if args[0].dim() else 1


def window(args, out):
    return math.prod(args[1])


def convolution(args, out):
    x, weight, transposed, groups = args[0], args[1], args[6], args[8]
    kernel = math.prod(weight.shape[2:])
    if not transposed:
        return weight.shape[1] * kernel
    stride = args[3] * (weight.dim() - 2) if len(args[3]) == 1 else args[3]
    taps = math.prod(-(-k // s) for k, s in zip(weight.shape[2:], stride))
    return x.shape[1] // groups * taps


def convolution_backward(args, out):
    grad, x, weight = args[0], args[1], args[2]
    transposed, groups = args[7], args[9]
    kernel = math.prod(weight.shape[2:])
    of_weight = grad.shape[0] * math.prod((x if transposed else grad).shape[2:])
    of_input = (weight.shape[1] if transposed else weight.shape[0] // groups) * kernel
    return of_input, of_weight, grad.shape[0] * math.prod(grad.shape[2:])


def layer_norm_backward(args, out):
    row = math.prod(args[2])
    rows = size(args[1]) // row
    return row, max(row, rows), rows


def rms_norm_backward(args, out):
    row = math.prod(args[2])
    return row, max(row, size(args[1]) // row)


def batch_norm(args, out):
    return size(args[0]) // args[0].shape[1]


def batch_norm_backward(args, out):
    return size(args[0]) // args[0].shape[1]


def group_norm(args, out):
    n, groups = args[3], args[6]
    return size(args[0]) // (n * groups)


def group_norm_backward(args, out):
    n, channels, groups = args[5], args[6], args[8]
    group = size(args[1]) // (n * groups)
    return group, max(group, size(args[1]) // channels), size(args[1]) // channels


def attention(args, out):
    return max(args[0].shape[-1], args[1].shape[-2])


def attention_backward(args, out):
    q, k = args[1], args[2]
    return max(q.shape[-1], q.shape[-2], k.shape[-2])


def adaptive(args, out):
    ratio = size(args[0]) / max(1, size(out))
    return max(1, math.ceil(ratio))


def nll(args, out):
    return max(1, size(args[0]) // args[0].shape[1]) if args[0].dim() > 1 else 1


def recurrent(args, out):
    return max(t.shape[-1] for t in args[:3] if isinstance(t, torch.Tensor) and t.dim())


TERMS = {
    "mm": inner(0), "bmm": inner(0), "mv": inner(0), "dot": inner(0), "addmm": inner(1),
    "baddbmm": inner(1), "addmv": inner(1), "addbmm": lambda a, o: size(a[1]) // a[1].shape[1],
    "sum": reduced, "mean": reduced, "var": reduced, "var_mean": reduced, "std": reduced,
    "std_mean": reduced, "prod": reduced, "nansum": reduced, "linalg_vector_norm": reduced,
    "norm": reduced, "logsumexp": reduced, "mse_loss": reduced, "huber_loss": reduced,
    "smooth_l1_loss": reduced, "binary_cross_entropy": reduced,
    "cumsum": along, "cumprod": along, "logcumsumexp": along, "_softmax": along,
    "_log_softmax": along, "_softmax_backward_data": along, "_log_softmax_backward_data": along,
    "avg_pool2d": window, "avg_pool3d": window, "_adaptive_avg_pool2d": adaptive,
    "_adaptive_avg_pool3d": adaptive, "convolution": convolution, "_convolution": convolution,
    "convolution_overrideable": convolution, "convolution_backward": convolution_backward,
    "native_layer_norm": lambda a, o: math.prod(a[1]),
    "_fused_rms_norm": lambda a, o: math.prod(a[1]),
    "_fused_rms_norm_backward": rms_norm_backward,
    "native_layer_norm_backward": layer_norm_backward,
    "native_group_norm": group_norm,
    "native_group_norm_backward": group_norm_backward,
    "native_batch_norm": batch_norm, "_native_batch_norm_legit": batch_norm,
    "_batch_norm_with_update": batch_norm, "native_batch_norm_backward": batch_norm_backward,
    "_scaled_dot_product_flash_attention_for_cpu": attention,
    "_scaled_dot_product_flash_attention": attention,
    "_scaled_dot_product_efficient_attention": attention,
    "_scaled_dot_product_cudnn_attention": attention,
    "_scaled_dot_product_fused_attention_overrideable": attention,
    "_scaled_dot_product_flash_attention_for_cpu_backward": attention_backward,
    "_scaled_dot_product_flash_attention_backward": attention_backward,
    "_scaled_dot_product_efficient_attention_backward": attention_backward,
    "nll_loss_forward": nll, "nll_loss2d_forward": nll, "mkldnn_rnn_layer": recurrent,
    "_thnn_fused_lstm_cell": recurrent, "_thnn_fused_gru_cell": recurrent,
    "embedding_dense_backward": lambda a, o: size(a[1]),
    "index_add": lambda a, o: size(a[2]), "scatter_add": lambda a, o: size(a[2]),
    "_cdist_forward": inner(0), "linear": inner(0),
}
# These divide by a deviation of so many terms.
NORMS = {"native_layer_norm", "native_group_norm", "native_batch_norm", "_native_batch_norm_legit",
         "_batch_norm_with_update", "var", "std", "var_mean", "std_mean", "_fused_rms_norm"}
# The last output of these depends only on the incoming gradient and on no saved moment.
BIAS_APART = {"native_layer_norm_backward"}


class Costs(TorchDispatchMode):
    """Counts costs of all operators that run in its context."""

    def __init__(self):
        super().__init__()
        self.flops = 0
        self.shortest_norm = math.inf
        self.longest = {}  # terms by id of tensor
        self.kept = []

    def terms(self, tensor):
        return self.longest.get(id(tensor), 1)

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        counter = flop_registry.get(func._overloadpacket)
        if counter is not None:
            self.flops += counter(*args, **kwargs, out_val=out)
        name = func._schema.name.partition("::")[2].rstrip("_")
        if name.startswith("_scaled_dot_product") and counter is None and "backward" not in name:
            q, k, v = args[:3]
            self.flops += 2 * size(q) * k.shape[-2] + 2 * size(q) // q.shape[-1] * size(v) // (
                max(1, size(v) // (v.shape[-1] * v.shape[-2])))
        rule = TERMS.get(name)
        terms = rule(args, out) if rule is not None else 1
        if name in NORMS:
            self.shortest_norm = min(self.shortest_norm, terms)
        read, written = [], []
        map_tensors([args, kwargs], torch.Tensor, read.append)
        map_tensors(out, torch.Tensor, written.append)
        if name.endswith("_like") or name.startswith("new_"):
            read = []  # a constructor reads the shape alone
        before = max([self.terms(t) for t in read], default=1)
        for i, tensor in enumerate(written):
            own = terms[i] if isinstance(terms, tuple) and i < len(terms) else (
                max(terms) if isinstance(terms, tuple) else terms)
            reads = self.terms(args[0]) if name in BIAS_APART and i == 2 else before
            self.longest[id(tensor)] = max(own, reads)
            self.kept.append(tensor)
        return out
