"""Distributions of the results of affine operators on independent draws."""

import math

from .graph import argument_of
from .recorder import Ref, refs_of

UNIFORM, NORMAL, INTEGERS = "uniform", "normal", "integers"
CREATES = {"aten::rand", "aten::rand_like", "aten::randn", "aten::randn_like", "aten::randint",
           "aten::randint.low", "aten::randint_like", "aten::randint_like.low_dtype",
           "aten::normal.float_float", "aten::randperm"}
FILLS = {"aten::uniform_", "aten::normal_", "aten::random_.from", "aten::random_.to"}
OVERWRITES = {"aten::fill_.Scalar", "aten::zero_", "aten::copy_"}
# The order of independent numbers with one distribution does not matter.
REARRANGES = {"aten::view", "aten::reshape", "aten::clone", "aten::detach", "aten::contiguous",
              "aten::transpose.int", "aten::permute", "aten::t", "aten::unsqueeze",
              "aten::squeeze", "aten::squeeze.dim", "aten::flatten.using_ints", "aten::alias",
              "aten::requires_grad_", "aten::numpy_T", "aten::detach_", "aten::lift_fresh",
              "aten::view_as", "aten::positive", "aten::unflatten.int"}
# These move to another device, or also to another dtype or layout.
MOVES = {"aten::to", "aten::_to_copy"}
AFFINE = {"aten::mul", "aten::add", "aten::sub", "aten::div", "aten::rsub", "aten::neg"}


def distribution(kind, a, b):
    if kind == INTEGERS:
        return {"kind": kind, "a": int(a), "b": int(b)}
    return {"kind": kind, "a": float(a), "b": float(b)}


def drawn_by(node):
    """The distribution of the numbers that the node draws."""
    name, at = node.name, lambda position, otherwise=None: argument_of(node, position, otherwise)
    if name in ("aten::rand", "aten::rand_like"):
        return distribution(UNIFORM, 0, 1)
    if name in ("aten::randn", "aten::randn_like"):
        return distribution(NORMAL, 0, 1)
    if name == "aten::randint":
        return distribution(INTEGERS, 0, at(0))
    if name in ("aten::randint.low", "aten::normal.float_float"):
        return distribution(INTEGERS if "int" in name else NORMAL, at(0), at(1))
    if name == "aten::randint_like":
        return distribution(INTEGERS, 0, at(1))
    if name in ("aten::randint_like.low_dtype", "aten::random_.from"):
        return distribution(INTEGERS, at(1), at(2))
    if name == "aten::random_.to":
        return distribution(INTEGERS, 0, at(1))
    if name in ("aten::uniform_", "aten::normal_"):
        return distribution(UNIFORM if "uniform" in name else NORMAL, at(1, 0.0),
                            at(2, 1.0))
    return None


def shifted(given, scale, shift):
    """The distribution of scale * x + shift; scale is not 0."""
    a, b = given["a"], given["b"]
    if given["kind"] == UNIFORM:
        return distribution(UNIFORM, *sorted((a * scale + shift, b * scale + shift)))
    return distribution(NORMAL, a * scale + shift, b * abs(scale))


def mean_of(given):
    if given["kind"] == NORMAL:
        return given["a"]
    return 0.5 * (given["a"] + given["b"] - (given["kind"] == INTEGERS))


def deviation_of(given):
    if given["kind"] == NORMAL:
        return given["b"]
    return (given["b"] - given["a"]) / math.sqrt(12.0)


class Moments:
    """Follows nodes. Each value is one number everywhere, or has a distribution, or is unknown."""

    def __init__(self, recorder, value):
        """`value` is the tensor that the nodes make."""
        self.recorder = recorder
        self.made = recorder.values[value].shape
        self.known = {}  # by value: a number or a distribution
        self.sources = {}

    def follow(self, nodes):
        for node in nodes:
            sources = self.sources_of(node)
            found = self.result_of(node)
            for written in node.writes:
                self.forget(written)
            for value in node.outputs:
                self.known[value], self.sources[value] = found, sources
        return self

    def forget(self, written):
        """Forgets all values in the memory that a node writes."""
        storage = self.recorder.values[written].storage
        for value in self.known:
            if self.recorder.values[value].storage == storage:
                self.known[value] = None

    def sources_of(self, node):
        """The draws that a result depends on."""
        if node.name in CREATES or node.name in FILLS:
            return frozenset(node.outputs)
        return frozenset().union(*(self.sources.get(v, frozenset())
                                   for v in refs_of([node.args, node.kwargs])))

    def of(self, value):
        key = self.place(value)  # in-place operators return their argument as another value
        same = [v for v in self.known if self.place(v) == key]
        return self.known[max(same)] if same else None

    def sources_at(self, value):
        key = self.place(value)
        return frozenset().union(*(s for v, s in self.sources.items() if self.place(v) == key))

    def place(self, value):
        recorded = self.recorder.values[value]
        return recorded.storage, recorded.shape, recorded.layout

    def count(self, value):
        return math.prod(self.recorder.values[value].shape)

    def is_factor(self, node):
        """Whether the node draws one number for a whole tensor. Its mean then replaces it."""
        shape = self.recorder.values[node.outputs[0]].shape
        return math.prod(shape) == 1 and (math.prod(self.made) > 1 or len(shape) < len(self.made))

    def result_of(self, node):
        name = node.name
        if name in CREATES or name in FILLS:
            given = drawn_by(node)
            return mean_of(given) if given and self.is_factor(node) else given
        base = name.partition(".")[0].rstrip("_")
        constant = {"aten::ones": 1.0, "aten::ones_like": 1.0, "aten::zeros": 0.0,
                    "aten::zeros_like": 0.0, "aten::zero": 0.0}.get(base)
        if constant is not None:
            return constant
        if base in ("aten::full", "aten::full_like", "aten::fill") and \
                isinstance(argument_of(node, 1), (int, float)):
            return argument_of(node, 1)
        if name == "aten::copy_":
            return self.operand(node.args[1])
        if name in REARRANGES or base in MOVES and self.keeps_dtype(node):
            return self.operand(node.args[0])
        return self.affine(base, node) if base in AFFINE else None

    def keeps_dtype(self, node):
        dtypes = {self.recorder.values[v].dtype for v in (*refs_of(node.args[:1]), *node.outputs)}
        return len(dtypes) == 1

    def operand(self, argument):
        if isinstance(argument, Ref):
            return self.of(argument.value)
        return argument if isinstance(argument, (int, float)) else None

    def affine(self, base, node):
        operands = [self.operand(a) for a in node.args[:2]]
        if any(o is None for o in operands) or node.kwargs.get("rounding_mode"):
            return None
        if any(isinstance(o, dict) and o["kind"] == INTEGERS for o in operands):
            return None
        drawn = [a.value for a, o in zip(node.args, operands) if isinstance(o, dict)]
        if any(self.count(value) != self.count(node.outputs[0]) for value in drawn):
            return None  # some elements of the result would be the same draw
        if len(drawn) == 2 and self.sources_at(drawn[0]) & self.sources_at(drawn[1]):
            return None
        if base == "aten::neg":
            operands, base = [operands[0], -1], "aten::mul"
        a, b = operands
        alpha = node.kwargs.get("alpha", 1)
        if base == "aten::rsub":
            a, b, base = b, a, "aten::sub"
        if base in ("aten::add", "aten::sub"):
            b = self.scaled(b, alpha if base == "aten::add" else -alpha)
            return self.added(a, b)
        if base == "aten::div":
            return self.scaled(a, 1 / b) if not isinstance(b, dict) and b else None
        if isinstance(a, dict) and isinstance(b, dict):
            return None
        return self.scaled(*((b, a) if isinstance(b, dict) else (a, b)))

    @staticmethod
    def scaled(given, scale):
        if not isinstance(given, dict):
            return given * scale
        return shifted(given, scale, 0) if scale else 0.0

    @staticmethod
    def added(a, b):
        if not isinstance(a, dict) and not isinstance(b, dict):
            return a + b
        if not isinstance(a, dict):
            a, b = b, a
        if not isinstance(b, dict):
            return shifted(a, 1, b)
        # Two draws: the normal distribution with the mean and variance of their sum.
        return distribution(NORMAL, mean_of(a) + mean_of(b),
                            math.hypot(deviation_of(a), deviation_of(b)))
