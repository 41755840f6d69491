"""Turns a recording of a solution's forward into the steps of a plan (docs/solutions.md)."""

import dataclasses
import math

import torch

from .graph import DECIDES, DROPOUTS, SAME_TENSOR, SIZED_BY_DATA, decides, is_random
from .recorder import Node, Ref, refs_of
from .refusal import Refusal

# c10::ScalarType's numbers.
DTYPE_NUMBERS = {torch.uint8: 0, torch.int8: 1, torch.int16: 2, torch.int32: 3, torch.int64: 4,
                 torch.float16: 5, torch.float32: 6, torch.float64: 7, torch.bool: 11,
                 torch.bfloat16: 15}
MEMORY_FORMATS = {torch.contiguous_format: 0, torch.preserve_format: 1, torch.channels_last: 2,
                  torch.channels_last_3d: 3}


@dataclasses.dataclass
class KernelNode(Node):
    """A call of a function of an extension."""
    function: str = ""

    @property
    def name(self):
        return self.function


@dataclasses.dataclass
class Plan:
    steps: list
    outputs: list

    def key(self):
        """Equal for plans that differ only in the expected results of their functions."""
        return repr(([{k: v for k, v in step.items() if k != "results"} for step in self.steps],
                     self.outputs))


class PlanMaker:
    """`number` maps each value that is an argument to its number. `in_constructor` has the ids of
    its nodes."""

    def __init__(self, recorder, number, in_constructor):
        self.recorder = recorder
        self.number = dict(number)
        self.in_constructor = in_constructor
        self.following = 0
        self.steps = []
        self.made_by_torch = set()  # values whose layout is up to the device

    def make(self, nodes, outputs, arguments, reshaped):
        """Makes the plan. `arguments` is the number of the call's arguments. `reshaped` maps a
        value to the argument that it is in another shape."""
        self.following = arguments
        for value, argument in reshaped.items():
            recorded = self.recorder.values[value]
            self.add({"view": argument, "sizes": list(recorded.shape),
                      "strides": list(recorded.layout[0]), "offset": 0}, [value])
        read = {v for node in nodes for v in refs_of([node.args, node.kwargs])}
        for node in nodes:
            if isinstance(node, KernelNode):
                self.make_contiguous(node)
            step = self.step(node, read)
            if step is not None:
                self.add(step, node.outputs)
        return Plan(self.steps, [self.number_of(value) for value in outputs])

    def add(self, step, outputs):
        self.steps.append(step)
        for value in outputs:
            self.number[value] = self.following
            self.following += 1

    def make_contiguous(self, node):
        """Adds a contiguous() for results of torch that are contiguous on a CPU, where it leaves no
        trace. On a GPU they may have another layout."""
        for value in self.made_by_torch.intersection(refs_of(node.args)):
            if is_contiguous(self.recorder.values[value]):
                self.add({"op": "aten::contiguous", "overload": "",
                          "args": [{"t": self.number_of(value)}], "outputs": 1}, [value])

    def number_of(self, value):
        if value not in self.number:
            raise Refusal("forward reads a tensor that is neither an argument nor made by its calls",
                          "register it as a parameter, made as the problem makes it")
        return self.number[value]

    def step(self, node, read):
        if isinstance(node, KernelNode):
            return {"call": node.function, "args": [self.encoded(a) for a in node.args],
                    "outputs": len(node.outputs),
                    "results": [list(self.recorder.values[v].shape) if v in read else None
                                for v in node.outputs]}
        self.check(node)
        if self.is_identity(node):
            given = refs_of(node.args)[0]
            for value in node.outputs:
                self.number.setdefault(value, self.number_of(given))
            if given in self.made_by_torch:
                self.made_by_torch.update(node.outputs)
            return None
        view = self.view(node)
        if view is None:
            self.made_by_torch.update(node.outputs)
        return view or self.call(node)

    def check(self, node):
        if id(node) not in self.in_constructor and is_random(node):
            raise Refusal(f"forward is random: it calls {node.name}", "call eval() in the constructor")
        if node.name in DECIDES | SIZED_BY_DATA:
            raise decides(node)

    def is_identity(self, node):
        if node.name in DROPOUTS or node.name in SAME_TENSOR:
            return True
        given = refs_of(node.args)
        if not given or node.writes or given[0] in self.made_by_torch:
            return False
        if all(value in self.number for value in node.outputs):
            return True  # contiguous() of a contiguous tensor, for example
        values = self.recorder.values
        same = lambda v: (values[v].storage, values[v].shape, values[v].layout, values[v].dtype)
        return len(node.outputs) == 1 and same(given[0]) == same(node.outputs[0])

    def view(self, node):
        """The step for a view of an argument or of a function's result, which needs no operator."""
        values = self.recorder.values
        given = refs_of(node.args)
        if node.writes or len(node.outputs) != 1 or not given or given[0] in self.made_by_torch:
            return None
        base, made = values[given[0]], values[node.outputs[0]]
        if base.storage != made.storage or base.dtype != made.dtype:
            return None
        (strides, offset), (_, base_offset) = made.layout, base.layout
        return {"view": self.number_of(given[0]), "sizes": list(made.shape),
                "strides": list(strides), "offset": offset - base_offset}

    def call(self, node):
        schema = node.func._schema
        arguments = []
        for position, argument in enumerate(schema.arguments):
            if position < len(node.args):
                given = node.args[position]
            elif argument.name in node.kwargs:
                given = node.kwargs[argument.name]
            else:
                given = argument.default_value if argument.has_default_value() else None
            if argument.name == "device" and id(node) in self.in_constructor:
                given = torch.device("cpu")  # the whole module moves to the GPU
            arguments.append(self.encoded(given))
        while arguments and len(arguments) > len(node.args) and arguments[-1] is None and \
                schema.arguments[len(arguments) - 1].has_default_value():
            arguments.pop()
        overload = node.func._overloadname
        return {"op": schema.name, "overload": "" if overload == "default" else overload,
                "args": arguments, "outputs": len(node.outputs)}

    def encoded(self, argument):
        if isinstance(argument, Ref):
            return {"t": self.number_of(argument.value)}
        if argument is None or isinstance(argument, (bool, int, str)):
            return argument
        if isinstance(argument, float):
            if math.isfinite(argument):
                return argument
            return {"float": "nan" if math.isnan(argument) else "inf" if argument > 0 else "-inf"}
        if isinstance(argument, (list, tuple)):
            return [self.encoded(item) for item in argument]
        if isinstance(argument, torch.dtype):
            return {"dtype": DTYPE_NUMBERS[argument]}
        if isinstance(argument, torch.memory_format):
            return MEMORY_FORMATS[argument]
        if isinstance(argument, torch.layout):
            return None if argument is torch.strided else {"unknown": str(argument)}
        if isinstance(argument, torch.device):
            return {"device": "call"}
        raise Refusal(f"forward hands over a {type(argument).__name__}",
                      "hand over tensors, numbers, booleans and texts")


def is_contiguous(value):
    expected = 1
    for size, stride in reversed(list(zip(value.shape, value.layout[0]))):
        if size != 1 and stride != expected:
            return False
        expected *= size
    return True


def summary(plan):
    """The steps beside a single call, for people. Empty where one call is all."""
    calls = [step["call"] for step in plan.steps if "call" in step]
    views = sum("view" in step for step in plan.steps)
    operators = list(dict.fromkeys(step["op"] for step in plan.steps if "op" in step))
    parts = [f"{len(calls)} calls in a row"] if len(calls) > 1 else []
    parts += [f"{views} view{'s' if views > 1 else ''}"] if views else []
    parts += operators
    return ", ".join(parts)
