"""Turns one config of a source into a point: graph, tensors, arguments and costs."""

import contextlib
import dataclasses
import re

import torch
from torch._subclasses.fake_tensor import (DataDependentOutputException,
                                           DynamicOutputShapeException, FakeTensorMode,
                                           UnsupportedOperatorException, unset_fake_temporarily)
from torch.utils._python_dispatch import _disable_current_modes

from .backward import add_backward
from .conversions import replacing_parameters
from .draws import Draws
from .encode import dtype_name
from .errors import of_error
from .memory import check_bytes
from .graph import DECIDES, SIZED_BY_DATA, GraphMaker, check, decides, live_nodes
from .recorder import NeedsValues, Recorder, refs_of
from .refusal import Refusal
from .sums import Costs
from .unfused import unfused_bytes
from .content import on

# Errors of a run without data. A run with data then shows the real error.
UNSUPPORTED = (DataDependentOutputException, DynamicOutputShapeException, NeedsValues,
               UnsupportedOperatorException, NotImplementedError)
IDENTIFIER = re.compile(r"\W")


@dataclasses.dataclass
class Trace:
    """A point of the package, with facts about its recording."""
    point: dict
    graph: dict
    elements: int  # of all tensors that the call makes and reads
    bytes: int  # of inputs, weights and outputs
    shortest_norm: float  # terms of the least moment that the call divides by
    aliases: dict  # the package's name of each tensor that the source names
    notes: list


def is_tensor(thing):
    return isinstance(thing, torch.Tensor)


def flattened(arguments):
    """(name, tensor, argument) of each tensor, with the elements of tuples one by one."""
    for argument in arguments:
        if is_tensor(argument.given):
            yield argument.name, argument.given, argument
        elif isinstance(argument.given, (list, tuple)) and any(map(is_tensor, argument.given)):
            for i, item in enumerate(argument.given):
                if is_tensor(item):
                    yield f"{argument.name}_{i}", item, argument


def described(argument, params):
    """The argument in the package's form."""
    given = argument.given
    if is_tensor(given) or given is None and argument.optional_tensor:
        return {"tensor": argument.name}
    if isinstance(given, (list, tuple)):
        if any(map(is_tensor, given)) and all(map(is_tensor, given)):
            return {"tensors": [f"{argument.name}_{i}" for i in range(len(given))]}
        if all(type(item) is int for item in given):
            return {"integers": list(given)}
    if isinstance(given, (bool, int, float)):
        if argument.name in params and type(params[argument.name]) is type(given) and \
                params[argument.name] == given:
            return {"parameter": argument.name}
        return {"value": given, "name": argument.name}
    raise Refusal(f"the argument {argument.name} is a {type(given).__name__}, which no kernel takes",
                  "hand over tensors, numbers, booleans, and tuples of one of these")


@contextlib.contextmanager
def without_mkldnn():
    """Turns MKL-DNN off, whose fused operators have neither shapes without data nor FLOPs."""
    before = torch._C._get_mkldnn_enabled()
    torch._C._set_mkldnn_enabled(False)
    try:
        yield
    finally:
        torch._C._set_mkldnn_enabled(before)


@contextlib.contextmanager
def following_shapes():
    """Follows shapes alone: tensors have no data."""
    with FakeTensorMode(allow_non_fake_inputs=True), replacing_parameters():
        yield


def traced(source, params, graphs, with_data=False, device="cpu", wants_backward=False):
    """Records one config, and appends its graphs to `graphs`. Without data only shapes are
    followed, which is cheap."""
    recorder, costs = Recorder(), Costs()
    fake = contextlib.nullcontext() if with_data else following_shapes()
    with torch.random.fork_rng(devices=[]), fake, on(device), torch.no_grad(), \
            without_mkldnn(), costs, recorder.recording():
        torch.manual_seed(0)
        if not with_data:
            recorder.read = lambda node: read_number(recorder, node)
        try:
            call = source.call(recorder, params)
        except Exception:
            check_bytes(recorder.bytes(), device)  # before the same is tried with data
            raise
        backward = source.backward(call) if wants_backward else None
    trace = Tracing(source, params, graphs, recorder, costs, call).result()
    if backward is not None:
        add_backward(trace, call, backward, params)
    return trace


def read_number(recorder, node):
    """The number that Python reads from a tensor without data, unless it depends on a draw."""
    if node.name not in DECIDES | SIZED_BY_DATA:
        return None
    recorder_end = len(recorder.nodes)
    nodes = [n for value in refs_of([node.args, node.kwargs])
             for n in Draws(recorder, recorder_end, []).slice_of(value)]
    if any(torch.Tag.nondeterministic_seeded in n.func.tags for n in nodes):
        if not recorder.in_forward:
            return None
        raise decides(node)
    if node.name not in ("aten::item", "aten::_local_scalar_dense"):
        return None
    with unset_fake_temporarily(), _disable_current_modes():
        return Draws(recorder, recorder_end, []).evaluated(node.args[0].value).item()


class Tracing:
    def __init__(self, source, params, graphs, recorder, costs, call):
        self.params, self.graphs, self.recorder, self.costs = params, graphs, recorder, costs
        self.call = call
        for output in call.outputs:
            if not is_tensor(output):
                raise Refusal(f"an output is a {type(output).__name__}, no tensor",
                              "return a tensor, or a tuple of tensors")
        self.live_arguments(source)

    def live_arguments(self, source):
        """Finds the kernel's arguments, and the nodes that compute its outputs from them."""
        call, recorder = self.call, self.recorder
        buffers = set()
        if isinstance(call.model, torch.nn.Module) and source.kind != "robust-kbench":
            buffers = {id(b) for b in call.model.buffers()}
        is_buffer = lambda a: is_tensor(a.given) and id(a.given) in buffers and not a.is_input
        fixed = [recorder.value(t) for _, t, a in flattened(call.arguments) if not is_buffer(a)]
        check(recorder, call.first, fixed)
        self.outputs = [recorder.value(output) for output in call.outputs]
        every = [recorder.value(t) for _, t, a in flattened(call.arguments)]
        live = live_nodes(recorder, call.first, set(every), self.outputs, call.last)
        self.nodes = [recorder.nodes[i] for i in live]
        read = {v for node in self.nodes for v in refs_of([node.args, node.kwargs])}
        read |= set(self.outputs)
        call.arguments = [a for a in call.arguments
                          if not is_buffer(a) or recorder.value(a.given) in read]
        self.notes = [f"No output depends on {a.name}." for _, t, a in flattened(call.arguments)
                      if recorder.value(t) not in read]
        storages = {recorder.values[recorder.value(t)].storage
                    for _, t, a in flattened(call.arguments)}
        for node in self.nodes:
            if any(recorder.values[v].storage in storages for v in node.writes):
                raise Refusal(f"forward changes a buffer in place by {node.name}",
                              "return the new state, or call eval() in the constructor")

    def result(self):
        call, recorder = self.call, self.recorder
        named = [(IDENTIFIER.sub("_", name), t, a) for name, t, a in flattened(call.arguments)]
        inputs = list(dict.fromkeys(recorder.value(t) for _, t, _ in named))
        draws = Draws(recorder, call.first, self.graphs)
        specs = {"inputs": [], "weights": []}
        seen = {}
        for name, tensor, argument in named:
            value = recorder.value(tensor)
            if value in seen:
                continue
            seen[value] = name
            if 0 in tensor.shape:
                raise Refusal(f"{name} of shape {list(tensor.shape)} has no elements",
                              "give each size at least 1")
            specs["inputs" if argument.is_input else "weights"].append(
                {"name": name, "shape": list(tensor.shape), "dtype": dtype_name(tensor.dtype),
                 "distribution": draws.of(value, not argument.is_input)})
        for argument in call.arguments:
            if argument.given is None and argument.optional_tensor:
                specs["inputs" if argument.is_input else "weights"].append(
                    {"name": argument.name, "shape": [], "dtype": "float32", "distribution": None})
        maker = GraphMaker(recorder, inputs, lambda v: self.constant(v, draws))
        graph = maker.make(self.nodes, self.outputs, [seen[v] for v in inputs])
        outputs = [{"name": name, "shape": list(t.shape), "dtype": dtype_name(t.dtype)}
                   for name, t in zip(self.output_names(named), call.outputs)]
        read = sum(t.numel() * t.element_size() for t in {id(t): t for _, t, _ in named}.values())
        written = sum(t.numel() * t.element_size() for t in call.outputs)
        point = {"params": self.params, "graph": draws.index_of(graph), **specs,
                 "outputs": outputs,
                 "arguments": [self.argument(a, seen) for a in call.arguments],
                 "flops": self.costs.flops, "bytes": read + written,
                 "unfused_bytes": unfused_bytes(recorder, self.nodes, inputs, self.outputs),
                 "longest_sums": [max(1, self.costs.terms(t)) for t in call.outputs]}
        elements = sum(torch.Size(recorder.values[v].shape).numel()
                       for node in self.nodes for v in node.outputs)
        aliases = {name: seen[recorder.value(t)] for name, t, _ in flattened(call.arguments)}
        return Trace(point, graph, elements + read // 4, read + written,
                     self.costs.shortest_norm, aliases, self.notes + draws.notes)

    def output_names(self, named):
        """Names that differ from those of the arguments, since a kernel may get both."""
        outputs = self.call.outputs
        names = self.call.output_names or (
            ["output"] if len(outputs) == 1 else [f"output_{i}" for i in range(len(outputs))])
        taken = {name for name, _, _ in named} | {a.name for a in self.call.arguments}
        for name in names:
            while name in taken:
                name += "_"
            taken.add(name)
            yield name

    def argument(self, argument, seen):
        described_ = described(argument, self.params)
        name = lambda tensor: seen[self.recorder.value(tensor)]
        if is_tensor(argument.given):
            return {"tensor": name(argument.given)}
        if "tensors" in described_:
            return {"tensors": [name(t) for t in argument.given]}
        return described_

    def constant(self, value, draws):
        """The data of a tensor that forward reads and that is no argument."""
        if draws.is_random(value):
            raise Refusal("forward reads a random tensor that is neither parameter nor buffer",
                          "register it as a parameter or a buffer")
        return draws.evaluated(value)


def trace_of(source, params, graphs, device="cpu", wants_backward=False, may_use_data=True):
    """Traces without data where possible. If `may_use_data` is false, as for sizes that are only
    tried, it never uses data."""
    if not source.needs_data:
        try:
            return traced(source, params, graphs, False, device, wants_backward)
        except (Refusal, MemoryError):
            raise
        except Exception as error:
            if not may_use_data:
                raise of_error(error) from error
            first = error
    try:
        trace = traced(source, params, graphs, True, device, wants_backward)
    except Refusal:
        raise
    except Exception as error:
        known = source.needs_data or isinstance(first, UNSUPPORTED)
        raise of_error(error if known else first) from error
    source.needs_data = True
    return trace
