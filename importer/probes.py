"""Which probes a task has: those that torch's own float32 result passes."""

import torch

from . import content
from .evaluate import run
from .verify import difference

NAMES = ("inputs_times_1000", "inputs_divided_by_1000", "weights_scaled", "inputs_around_100",
         "constant_rows", "large_logits", "ties", "general_weights")
# Operators that choose among their inputs, and those that only move elements.
CHOOSES = ("max_pool", "amax", "amin", "max", "min", "topk", "sort", "maximum", "minimum")
MOVES = ("view", "reshape", "permute", "transpose", "flatten", "contiguous", "unsqueeze", "squeeze",
         "select", "slice", "expand", "clone", "pad", "cat", "stack", "unbind", "split", "chunk")
# Their indices of equal elements may come in any order, and torch's differ between devices.
ORDERS = ("topk", "sort", "argsort", "msort", "kthvalue", "median", "mode")
WITH_EQUAL_ELEMENTS = ("ties", "constant_rows")
OPEN_ORDER = "which index of equal elements is first is open"
# Beyond it float32 and float64 have nothing in common, and a kernel could return anything.
MOST_ERROR = 1e-2


def probed(tensors, point, probe, seed):
    generator = torch.Generator().manual_seed(seed)
    uniform = lambda like, low, high: torch.empty(like.shape).uniform_(
        low, high, generator=generator).to(like.dtype)
    inputs = {spec["name"] for spec in point["inputs"]}
    # What a module computes of a draw (probabilities, a triangle) stays as it is.
    computed = {spec["name"] for spec in point["inputs"] + point["weights"]
                if spec["distribution"] and "then" in spec["distribution"]}
    constants = {spec["name"] for spec in point["weights"]
                 if spec["distribution"] and spec["distribution"]["kind"] == "constant"}
    changed = {}
    for name, tensor in tensors.items():
        if tensor is None or not tensor.is_floating_point() or name in computed:
            changed[name] = tensor
        elif name in inputs:
            changed[name] = probed_input(tensor, probe, uniform)
        else:
            changed[name] = probed_weight(tensor, probe, uniform, name in constants)
    return changed


def probed_input(tensor, probe, uniform):
    if probe == "inputs_times_1000":
        return tensor * 1000.0
    if probe == "inputs_divided_by_1000":
        return tensor / 1000.0
    if probe == "inputs_around_100":
        return tensor + 100.0
    if probe == "large_logits":
        return uniform(tensor, -300.0, 300.0)
    if probe == "ties":
        return uniform(tensor, -1.5, 1.5).round()
    if probe == "constant_rows":
        rows = uniform(tensor.reshape(-1, tensor.shape[-1])[:, :1] if tensor.dim() else tensor,
                       -2.5, 2.5).round()
        rows[::2] = 0.0
        return rows.expand(-1, tensor.shape[-1]).reshape(tensor.shape).contiguous() \
            if tensor.dim() else rows
    return tensor


def probed_weight(tensor, probe, uniform, is_constant):
    if probe == "weights_scaled":
        return tensor * 1000.0
    if probe == "general_weights" and is_constant:
        return tensor + uniform(tensor, 0.25, 0.75)
    if probe in ("ties", "constant_rows") and not is_constant and not bool((tensor >= 0).all()):
        whole = uniform(tensor, -2.5, 2.5).round()
        return whole.masked_fill(whole == 0, 1.0)
    return tensor


def reason_against(trace, graphs, probe):
    """Why the task cannot have the probe, or None."""
    tensors = probed(content.tensors_of(trace.point, graphs, 4), trace.point, probe, 5)
    inputs = content.in_order(trace.graph, tensors)
    copies = lambda: [None if t is None else t.clone() for t in inputs]
    try:
        with torch.no_grad():
            own, exact = run(trace.graph, copies()), run(trace.graph, copies(), True)
    except (RuntimeError, IndexError, ValueError):
        return "torch refuses such content"
    for mine, reference in zip(own, exact):
        if not reference.is_floating_point():
            if difference(mine, reference) > 0:
                return "torch's own float32 decides otherwise than float64 there"
            continue
        if bool(reference.isnan().any()):
            return "the reference has NaN there"
        if bool((reference.isfinite() & ~mine.isfinite()).any()):
            return "torch's own float32 overflows there"
        error = difference(mine, reference)
        if error > MOST_ERROR:
            return f"torch's own float32 errs by {error:.0e} of the result there"
    return None


def domain_of(trace, graphs):
    """`trace` is a small point."""
    inapplicable = []
    operators = [node["op"].partition("::")[2].partition(".")[0] for node in trace.graph["nodes"]]
    has_open_order = any(o in ORDERS for o in operators) and \
        any(o["dtype"].startswith("int") for o in trace.point["outputs"])
    for probe in NAMES:
        reason = OPEN_ORDER if has_open_order and probe in WITH_EQUAL_ELEMENTS else \
            reason_against(trace, graphs, probe)
        if reason is not None:
            inapplicable.append({"probe": probe, "reason": reason})
    chooses = bool(operators) and any(o.startswith(CHOOSES) for o in operators) and \
        all(o.startswith(CHOOSES + MOVES) for o in operators)
    return {"inapplicable": inapplicable, "chooses_among_inputs": chooses}
