"""Distributions of the tensors that get_inputs or a constructor made."""

import math

import torch
from torch._subclasses.fake_tensor import FakeTensor

from . import fit
from .encode import dtype_name
from .evaluate import run
from .graph import GraphMaker
from .moments import (CREATES, FILLS, OVERWRITES, UNIFORM, Moments, distribution, drawn_by,
                      mean_of)
from .recorder import NeedsValues, Node, Ref, refs_of
from .refusal import Refusal

# The range of a constant weight's values in timed calls, as a share of the constant where it is
# below 1.
SPREAD = 0.5
# Most numbers that a source may write into an input that is the same in every call.
MOST_GIVEN = 16


class Draws:
    """Distributions of values of a recorder, whose first `end` nodes made inputs and weights."""

    def __init__(self, recorder, end, graphs):
        self.recorder = recorder
        self.end = end
        self.graphs = graphs  # those of the package; more are appended
        self.notes = []

    def slice_of(self, value):
        """The nodes that made the value, without those whose results were overwritten before."""
        recorded = self.recorder.values
        needed, storages = {value}, {recorded[value].storage}
        kept = []
        for index in reversed(range(self.end)):
            node = self.recorder.nodes[index]
            written = [v for v in node.writes if recorded[v].storage in storages]
            if not written and not any(v in needed for v in node.outputs):
                continue
            read = refs_of([node.args, node.kwargs])
            if written and node.name in FILLS | OVERWRITES and self.fills_storage(written[0]):
                target = self.first_of_place(written[0])
                node = Node(node.func, [Ref(target), *node.args[1:]], node.kwargs, node.outputs,
                            [target])
                storages.discard(recorded[target].storage)
                needed.add(target)
                read = refs_of(node.args[1:])
            kept.append(node)
            needed.update(read)
            storages.update(recorded[v].storage for v in read)
        return kept[::-1]

    def first_of_place(self, value):
        """The original tensor among all values that in-place operators returned of it."""
        recorded = self.recorder.values
        key = (recorded[value].storage, recorded[value].shape, recorded[value].layout)
        return next(v for v in self.recorder.latest_of_storage[key[0]]
                    if (key[0], recorded[v].shape, recorded[v].layout) == key)

    def fills_storage(self, value):
        recorded = self.recorder.values[value]
        tensor = self.recorder.tensors[value]
        return math.prod(recorded.shape) * recorded.dtype.itemsize == tensor.untyped_storage().nbytes()

    def of(self, value, is_weight):
        """The distribution of a value as a package holds it."""
        nodes = self.slice_of(value)
        recorded = self.recorder.values[value]
        moments = Moments(self.recorder, value).follow(nodes)
        found = moments.of(value)
        if isinstance(found, dict) and self.has_dtype_of_draw(recorded, found):
            return found
        if isinstance(found, (int, float)):
            return constant(found, recorded.dtype, is_weight)
        draws = [n for n in nodes if n.name in CREATES or n.name in FILLS]
        random = [n for n in nodes if torch.Tag.nondeterministic_seeded in n.func.tags]
        sized = [n for n in draws if not moments.is_factor(n)]
        if len(random) > len(draws) or len(sized) != 1 and draws:
            return self.fitted(value, is_weight)
        if not sized and not draws:
            return self.made_without_draws(value, nodes, is_weight)
        return self.computed(value, nodes, sized[0])

    @staticmethod
    def has_dtype_of_draw(recorded, found):
        """Integers may have any dtype, other draws are floating."""
        return found["kind"] == "integers" or recorded.dtype.is_floating_point

    def computed(self, value, nodes, draw):
        """A draw, and the graph that computes the value from it."""
        output = draw.outputs[0]
        permutation = draw.name == "aten::randperm"
        given = distribution(UNIFORM, 0, 1) if permutation else drawn_by(draw)
        before = set() if draw.name in CREATES else set(refs_of(draw.args[:1]))
        rest = [n for n in nodes if n is not draw and not any(v in before for v in n.outputs)]
        scalar_values = {n.outputs[0]: mean_of(drawn_by(n)) for n in rest
                         if n.name in CREATES or n.name in FILLS}
        rest = [n for n in rest if n.outputs[0] not in scalar_values]
        constant_of = lambda v: self.constant(v, scalar_values, before)
        final = value if any(value in n.outputs for n in rest) or value == output else \
            self.newest_alias(value, rest + [draw])
        graph = GraphMaker(self.recorder, [output], constant_of).make(rest, [final], ["draw"])
        calls = self.calls_to(self.recorder.values[output], self.recorder.values[value],
                              given["kind"], permutation)
        if calls is None:
            return self.fitted(value, True)
        return {**given, "then": self.index_of(with_prefix(graph, calls) if calls else graph)}

    @staticmethod
    def calls_to(wanted, made, kind, permutation):
        """The calls that turn a draw in the shape of the made tensor into the recorded draw."""
        calls = []
        if wanted.shape != made.shape:
            wanted_count, count = math.prod(wanted.shape), math.prod(made.shape)
            if wanted_count > count:
                return None
            calls.append(("aten::reshape", [[-1]]))
            if wanted_count < count:
                calls.append(("aten::slice.Tensor", [0, 0, wanted_count]))
            calls.append(("aten::reshape", [list(wanted.shape)]))
        if permutation:
            return [*calls, ("aten::argsort", [])]
        drawn = torch.int64 if kind == "integers" else torch.float32
        if wanted.dtype != drawn:
            calls.append(("aten::to.dtype", [{"dtype": dtype_name(wanted.dtype)}]))
        return calls

    def newest_alias(self, value, nodes):
        recorded = self.recorder.values
        for node in reversed(nodes):
            for output in node.outputs:
                if (recorded[output].storage, recorded[output].shape, recorded[output].layout) == (
                        recorded[value].storage, recorded[value].shape, recorded[value].layout):
                    return output
        raise Refusal("a weight or an input is made in a way that the importer cannot follow",
                      "make it by one random tensor and operators on it")

    def constant(self, value, scalars, before):
        if value in scalars:
            return torch.tensor(float(scalars[value]))
        if value in before:
            raise Refusal("a tensor is read after it was drawn in place",
                          "draw it by torch.rand or torch.randn")
        return self.recorder.data_of(value)

    def made_without_draws(self, value, nodes, is_weight):
        recorded = self.recorder.values[value]
        graph = self.graph_of(value, nodes) if nodes else None
        tensor = run(graph, [])[0] if graph else self.recorder.data_of(value)
        value_everywhere = fit.constant_value(tensor)
        if value_everywhere is not None:
            return constant(value_everywhere, recorded.dtype, is_weight)
        # An input that Python or numpy has made would be the same in every call.
        given = sum(math.prod(c["shape"]) for c in graph["constants"]) if graph else 0
        if graph is None or given > MOST_GIVEN and not is_weight:
            return self.fitted(value, is_weight)
        graph = with_unread_input(graph)
        return {"kind": "constant", "a": 0.0, "spread": 0.0, "then": self.index_of(graph)}

    def graph_of(self, value, nodes):
        """The graph without inputs that makes a value without draws."""
        final = value if any(value in n.outputs for n in nodes) else \
            self.newest_alias(value, nodes)
        maker = GraphMaker(self.recorder, [], self.recorder.data_of)
        return maker.make(nodes, [final], [])

    def evaluated(self, value):
        """The data of a value that depends on no draw."""
        nodes = self.slice_of(value)
        if not nodes:
            return self.recorder.data_of(value)
        return run(self.graph_of(value, nodes), [])[0]

    def is_random(self, value):
        return any(torch.Tag.nondeterministic_seeded in n.func.tags for n in self.slice_of(value))

    def fitted(self, value, is_weight):
        nodes = self.slice_of(value)
        tensor = self.recorder.tensors[value]
        if isinstance(tensor, FakeTensor) and self.is_random(value):
            raise NeedsValues()
        data = tensor if nodes and self.is_random(value) else self.evaluated(value)
        name = "a weight" if is_weight else "an input"
        given = fit.distribution_of(data.cpu(), name)
        self.notes.append(f"The distribution of {name} of shape {list(tensor.shape)} is fitted to "
                          "its values.")
        return given

    def index_of(self, graph):
        if graph not in self.graphs:
            self.graphs.append(graph)
        return self.graphs.index(graph)


def constant(value, dtype, is_weight):
    spread = 0.0
    if is_weight and dtype.is_floating_point:
        spread = SPREAD * (min(1.0, abs(value)) if value else 1.0)
    return {"kind": "constant", "a": float(value), "spread": spread}


def renumbered(item, move):
    """The same arguments with other numbers of tensors."""
    if isinstance(item, list):
        return [renumbered(i, move) for i in item]
    if isinstance(item, dict) and set(item) == {"t"}:
        return {"t": move(item["t"])}
    return {k: renumbered(v, move) for k, v in item.items()} if isinstance(item, dict) else item


def moved_nodes(graph, move):
    return [{**node, "args": renumbered(node["args"], move),
             **({"kwargs": renumbered(node["kwargs"], move)} if "kwargs" in node else {})}
            for node in graph["nodes"]]


def with_prefix(graph, calls):
    """The graph whose one input first passes through `calls`, pairs of operator and arguments."""
    first = 1 + len(graph["constants"])
    last = first + len(calls) - 1

    def move(number):
        if number == 0:
            return last
        return number + len(calls) * (number >= first)

    prefix = [{"op": op, "args": [{"t": first + i - 1 if i else 0}, *args], "outputs": 1}
              for i, (op, args) in enumerate(calls)]
    return {**graph, "nodes": prefix + moved_nodes(graph, move),
            "outputs": [move(number) for number in graph["outputs"]]}


def with_unread_input(graph):
    """The same graph with an input that no node reads, since a distribution's graph has one."""
    move = lambda number: number + 1
    return {**graph, "inputs": ["draw"], "nodes": moved_nodes(graph, move),
            "outputs": [move(number) for number in graph["outputs"]]}
