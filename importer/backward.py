"""The backward of a point: the arguments of its kernel, and its cost."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from . import content
from .encode import DTYPES
from .evaluate import run
from .refusal import Refusal
from .sums import Costs
from .verify import difference

# A smaller gradient is scaled up, since the absolute tolerance would cover it.
LEAST_GRADIENT = 1e-2


def incoming_names(point):
    outputs = point["outputs"]
    return ["grad_output"] if len(outputs) == 1 else [f"grad_{o['name']}" for o in outputs]


def add_backward(trace, call, backward, params):
    point = trace.point
    names = {id(g): name for g, name in zip(backward.incoming, incoming_names(point))}
    for argument in call.arguments:
        if isinstance(argument.given, torch.Tensor):
            names[id(argument.given)] = trace.aliases[argument.name]
    numbers = {repr(a.given): a.name for a in call.arguments
               if not isinstance(a.given, torch.Tensor) and a.name in params}
    point["backward_arguments"] = [described(given, names, numbers)
                                   for given in backward.arguments]
    for i, argument in enumerate(point["backward_arguments"]):
        if "value" in argument:
            argument["name"] = f"value_{i}"
    trace.gradients = [trace.aliases[name] for name in backward.gradients]
    add_costs(trace)


def described(given, names, numbers):
    if isinstance(given, torch.Tensor):
        if id(given) not in names:
            raise Refusal("backward_fn is called with a tensor that is no argument of the forward",
                          "save the forward's arguments alone, and let the kernel compute the rest")
        return {"tensor": names[id(given)]}
    if isinstance(given, (list, tuple)):
        items = [described(item, names, {}) for item in given]
        if all("tensor" in item for item in items):
            return {"tensors": [item["tensor"] for item in items]}
        if all(type(item) is int for item in given):
            return {"integers": list(given)}
    if type(given) in (bool, int, float):
        return {"parameter": numbers[repr(given)]} if repr(given) in numbers else {"value": given}
    raise Refusal(f"backward_fn is called with a {type(given).__name__}",
                  "hand over tensors, numbers and booleans")


def add_costs(trace):
    """Counts the costs of autograd through the graph, by its shapes alone."""
    point = trace.point
    specs = {spec["name"]: spec for spec in point["inputs"] + point["weights"]}
    with FakeTensorMode(), torch.enable_grad():
        tensors = {name: torch.empty(spec["shape"], dtype=DTYPES[spec["dtype"]],
                                     requires_grad=name in trace.gradients)
                   for name, spec in specs.items() if spec["distribution"]}
        costs = Costs()
        with costs:
            outputs = run(trace.graph, content.in_order(trace.graph, tensors))
            forward_flops = costs.flops
            floating = [o for o in outputs if o.is_floating_point() and o.requires_grad]
            gradients = torch.autograd.grad(floating, [tensors[n] for n in trace.gradients],
                                            [torch.empty_like(o) for o in floating])
    point["backward_flops"] = costs.flops - forward_flops
    point["backward_longest_sums"] = [costs.terms(g) for g in gradients]
    read = {argument.get("tensor") for argument in point["backward_arguments"]}
    read |= {n for argument in point["backward_arguments"] for n in argument.get("tensors", [])}
    count = lambda tensor: tensor.numel() * tensor.element_size()
    sizes = {name: count(tensor) for name, tensor in tensors.items()}
    sizes.update(zip(incoming_names(point), map(count, outputs)))
    point["backward_unfused_bytes"] = 2 * point["unfused_bytes"]  # each result has a gradient
    point["backward_bytes"] = sum(sizes[n] for n in read if n) + sum(map(count, gradients))


def gradients_of(trace, tensors, in_float64, device):
    widen = lambda t: t.double() if in_float64 and t.is_floating_point() else t
    tensors = {name: None if t is None else widen(t).detach() for name, t in tensors.items()}
    for name in trace.gradients:
        tensors[name].requires_grad_()
    with torch.enable_grad():
        outputs = run(trace.graph, content.in_order(trace.graph, tensors), in_float64, device)
        floating = [o for o in outputs if o.requires_grad]
        generator = torch.Generator().manual_seed(6)
        incoming = [torch.randn(o.shape, generator=generator).to(device, o.dtype)
                    for o in floating]
        return torch.autograd.grad(floating, [tensors[n] for n in trace.gradients], incoming)


def measure(trace, graphs, device="cpu"):
    """Measures float32's error and returns it. Incoming gradients are drawn larger if the results
    would be tiny."""
    tensors = content.tensors_of(trace.point, graphs, 3, device)
    own = gradients_of(trace, tensors, False, device)
    exact = gradients_of(trace, tensors, True, device)
    size = max(g.square().mean().sqrt().item() for g in exact)
    if 0 < size < LEAST_GRADIENT:
        trace.point["grad_output"] = {"kind": "normal", "a": 0.0, "b": float(f"{1 / size:.3g}")}
    return max(difference(mine, other) for mine, other in zip(own, exact))
