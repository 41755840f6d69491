"""Compares a graph with the module from which it was recorded, and measures float32."""

import warnings

import torch

from . import content
from .errors import of_error
from .evaluate import default_dtype, run
from .refusal import Refusal, one_line

SAME = {torch.float32: 1e-5, torch.float64: 1e-9, torch.float16: 1e-2, torch.bfloat16: 5e-2}


class NoRecorder:
    """Replaces a recorder where nothing is recorded."""
    nodes = ()

    @staticmethod
    def begin_forward():
        return 0


def root_mean_square(tensor):
    return tensor.double().square().mean().sqrt().item() if tensor.numel() else 0.0


def difference(actual, expected):
    """The root mean square of the difference, relative to the expected; infinite where shapes or
    NaN differ."""
    if actual.shape != expected.shape:
        return float("inf")
    if not expected.is_floating_point():
        return (actual != expected).double().mean().item()
    actual, expected = actual.double(), expected.double()
    same = (actual == expected) | (actual.isnan() & expected.isnan())
    if not bool((actual.isfinite() == expected.isfinite()).logical_or(same).all()):
        return float("inf")
    actual, expected = actual.masked_fill(same, 0), expected.masked_fill(same & ~expected.isfinite(),
                                                                         0)
    delta = torch.where(same, torch.zeros_like(actual), actual - expected)
    return root_mean_square(delta) / max(root_mean_square(expected), 1e-30)


def module_outputs(source, call, tensors, aliases, in_float64):
    """The module's own outputs for the tensors."""
    if in_float64:
        tensors = {name: t.double() if t is not None and t.is_floating_point() else t
                   for name, t in tensors.items()}
    given = {name: tensors[first].clone() for name, first in aliases.items()
             if tensors[first] is not None}
    with default_dtype(torch.float64 if in_float64 else torch.float32):
        result = source.rerun(call, given)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def own_call(source, params, device):
    """A call of the module with data, though the graph was recorded without."""
    try:
        with content.on(device):
            return source.call(NoRecorder, params)
    except Refusal:
        raise
    except Exception as error:
        raise of_error(error) from error


def check_against_module(source, params, trace, graphs, device):
    """Refuses a graph whose results differ from the module's. Returns notes."""
    tensors = content.tensors_of(trace.point, graphs, 1, device)
    notes = []
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        torch.manual_seed(0)
        call = own_call(source, params, device)
        for in_float64 in (False, True):
            own = run(trace.graph, content.in_order(trace.graph, copies(tensors)), in_float64,
                      device)
            try:
                with content.on(device):
                    theirs = module_outputs(source, call, copies(tensors), trace.aliases,
                                            in_float64)
            except Exception as error:
                if not in_float64:
                    raise Refusal(f"forward fails on other content: {one_line(error)}",
                                  "let forward take every content of these shapes") from error
                notes.append("The module itself does not run in float64, so its graph alone is the "
                             f"reference: {one_line(error, 100)}")
                continue
            for mine, other in zip(own, theirs):
                compare(mine, other, in_float64, notes)
    return notes


def compare(mine, other, in_float64, notes):
    error = difference(mine, other)
    allowed = SAME.get(other.dtype, 0.0)
    if error <= allowed:
        return
    if in_float64 and error <= 1e-4:
        notes.append("In float64 the module differs from its graph by "
                     f"{error:.0e} of the result, since it computes parts in float32.")
        return
    raise Refusal(f"the recorded graph gives another result than the module, by {error:.1e} of it "
                  f"in {'float64' if in_float64 else 'float32'}",
                  "compute the result from the arguments alone, by torch's operators")


def copies(tensors):
    return {name: None if t is None else t.clone() for name, t in tensors.items()}


def sizes_of_outputs(trace, graphs, device="cpu"):
    """Root mean squares of the floating outputs. An output that is 0 everywhere cannot show an
    error."""
    tensors = content.tensors_of(trace.point, graphs, 2, device)
    with torch.no_grad():
        outputs = run(trace.graph, content.in_order(trace.graph, tensors), device=device)
    return [root_mean_square(o) for o in outputs if o.is_floating_point()]


def float32_error(trace, graphs, device="cpu"):
    """For each output, torch's own error in the task's dtype. Refuses NaN."""
    tensors = content.tensors_of(trace.point, graphs, 2, device)
    with torch.no_grad(), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        inputs = content.in_order(trace.graph, tensors)
        own = run(trace.graph, [None if t is None else t.clone() for t in inputs], device=device)
        reference = run(trace.graph, [None if t is None else t.clone() for t in inputs], True,
                        device)
    errors = []
    for mine, exact in zip(own, reference):
        if exact.is_floating_point() and bool(exact.isnan().any()):
            raise Refusal("the float64 reference has NaN on typical data",
                          "draw inputs from the domain of the operator")
        error = difference(mine, exact)
        errors.append({"error": error if error != float("inf") else None})
    return errors
