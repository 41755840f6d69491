"""Finds the weight of a problem that equals a tensor of a solution.

KernelBench seeds before each constructor. So a weight of a solution equals the problem's
where the same operators made both, at the same place in the stream of random numbers.
"""

import hashlib
import math

import torch
from torch._subclasses.fake_tensor import unset_fake_temporarily
from torch.utils._python_dispatch import _disable_current_modes

from .draws import Draws
from .graph import is_random
from .recorder import Ref, map_tensors, refs_of


MOST_COMPARED = 1 << 20  # most elements of a tensor without random numbers that is compared


class Maker:
    """A recording of one constructor: the nodes [first, last) of a recorder."""

    def __init__(self, recorder, first, last):
        self.recorder, self.first, self.last = recorder, first, last
        self.place = {}  # of each random node in the stream
        stream = hashlib.sha256()
        for index in range(first, last):
            node = recorder.nodes[index]
            if torch.Tag.nondeterministic_seeded in node.func.tags and is_random(node):
                stream.update(repr(self.drawn(node)).encode())
                self.place[self.key(node)] = stream.hexdigest()[:16]

    @staticmethod
    def key(node):
        """The same for a node and for its copy in Draws."""
        return node.name, tuple(node.outputs)

    def drawn(self, node):
        """The data that decide the numbers. These include the number of elements, but not the
        shape."""
        sizes = [math.prod(self.recorder.values[v].shape) for v in node.outputs]
        given = None if not refs_of(node.args) else \
            rounded(map_tensors(node.args, Ref, lambda ref: "t"))
        return node.name, given, sizes

    def nodes_of(self, value):
        return Draws(self.recorder, self.last, []).slice_of(value)

    def is_random(self, value):
        return any(self.key(node) in self.place for node in self.nodes_of(value))

    def signature(self, value):
        """Equal for two tensors whose contents are equal in KernelBench. None if unknown."""
        recorded = self.recorder.values[value]
        nodes, number, text = self.nodes_of(value), {}, []
        if nodes and not self.is_random(value) and math.prod(recorded.shape) <= MOST_COMPARED:
            with unset_fake_temporarily(), _disable_current_modes():
                content = Draws(self.recorder, self.last, []).evaluated(value)
                digest = hashlib.sha256(repr(content.flatten().tolist()).encode()).hexdigest()
            return repr((math.prod(recorded.shape), str(recorded.dtype), digest))
        for node in nodes:
            if node.name.startswith("aten::empty"):
                continue  # an allocation, whose content is written later
            for v in refs_of([node.args, node.kwargs]) + node.outputs:
                number.setdefault(v, len(number))
            as_number = lambda ref: f"t{number[ref.value]}"
            place = self.place.get(self.key(node))
            given = self.drawn(node) if place else \
                rounded(map_tensors([node.args, node.kwargs], Ref, as_number))
            text.append((node.name, given, place))
        return repr((math.prod(recorded.shape), str(recorded.dtype), text)) if nodes else None


def rounded(structure):
    """Rounds numbers, since people write 2.236 for the root of 5, and KernelBench accepts it."""
    return map_tensors(structure, float, lambda number: float(f"{number:.3g}"))


class Weights:
    """Finds the problem's argument that equals a tensor of a solution."""

    def __init__(self, problem, solution, named):
        """`named`: (name, value) of the problem's weights. `problem` and `solution` are Makers."""
        self.solution = solution
        self.named = [(name, value, problem.signature(value)) for name, value in named]
        self.taken = {}  # names by signature, in the order of finding

    def shape_of(self, name):
        recorded = self.solution.recorder.values
        return next(recorded[value].shape for other, value, _ in self.named if other == name)

    def find(self, value, names):
        """The problem's name for the tensor, or None. `names` are the solution's names for it.

        Weights of the same content, such as the zeros of two biases, are distinguished by their
        names, else by their order.
        """
        if value in self.taken:
            return self.taken[value]
        signature = self.solution.signature(value)
        alike = [name for name, _, other in self.named if signature and other == signature]
        last = lambda name: name.rpartition("_")[2]
        for is_same in (lambda a, b: a == b, lambda a, b: last(a) == last(b)):
            found = [name for name in alike if any(is_same(name, other) for other in names) and
                     name not in self.taken.values()]
            if found:
                self.taken[value] = found[0]
                return found[0]
        free = [name for name in alike if name not in self.taken.values()]
        found = next(iter(free or alike), None)
        if found:
            self.taken[value] = found
        return found
