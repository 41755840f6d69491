"""Records the operators that Python code calls, as eager mode dispatches them.

Composite operators such as aten::linear stay whole, since the mode is above autograd. Torch has no
public mode there. Its own tracing uses this one. Torch lets SchemaCheckMode through to code that
runs eagerly, so the recorder is of that class.
"""

import contextlib
import dataclasses
import typing

import torch
from torch._dispatch.python import enable_python_dispatcher
from torch._subclasses.fake_tensor import FakeTensor, unset_fake_temporarily
from torch._subclasses.schema_check_mode import SchemaCheckMode
from torch.utils._python_dispatch import TorchDispatchMode


MOST_COPIED = 1 << 22
# These make a tensor from a constant of Python, so each result is a new tensor.
LIFTS = {"aten::lift_fresh", "aten::lift"}


@dataclasses.dataclass
class Value:
    """A tensor as an operator returned it, or one that was there before."""
    shape: tuple
    dtype: torch.dtype
    storage: int
    layout: tuple  # strides and offset
    node: int | None  # index of the node that made it


@dataclasses.dataclass
class Node:
    func: typing.Any  # an OpOverload
    args: tuple  # tensors are Ref
    kwargs: dict
    outputs: list  # values
    writes: list  # values whose storage it changes

    @property
    def name(self):
        name = self.func._schema.name
        return name + ("." + self.func._overloadname if self.func._overloadname != "default" else "")


@dataclasses.dataclass(frozen=True)
class Ref:
    """Replaces a tensor in the arguments of a node."""
    value: int


def map_tensors(structure, kind, function):
    """The structure with each `kind` in its lists, tuples and dicts replaced."""
    if isinstance(structure, kind):
        return function(structure)
    if isinstance(structure, (list, tuple)):
        return [map_tensors(item, kind, function) for item in structure]
    if isinstance(structure, dict):
        return {key: map_tensors(item, kind, function) for key, item in structure.items()}
    return structure


def refs_of(structure):
    found = []
    map_tensors(structure, Ref, found.append)
    return [ref.value for ref in found]


class NeedsValues(Exception):
    """The recording needs data."""


def snapshot(tensor):
    """A copy of a tensor's data, or None where it is followed without data."""
    with unset_fake_temporarily(), torch.no_grad():
        data = getattr(tensor, "constant", None) if isinstance(tensor, FakeTensor) else tensor
        if data is None or data.device.type == "meta":
            return None
        return data.detach().clone() if data.numel() <= MOST_COPIED else data.detach()


class Recorder(SchemaCheckMode):
    """A list of nodes. It may be entered as a context repeatedly."""

    def __init__(self):
        TorchDispatchMode.__init__(self, _dispatch_key=torch._C.DispatchKey.PreDispatch)
        self.nodes = []
        self.values = []
        self.tensors = []  # of the values; none is freed, so that no id or storage is used again
        self.kept = []
        self.data = {}  # by value, of tensors that no recorded operator made
        self.value_of_id = {}
        self.latest_of_storage = {}
        self.in_forward = False  # else inputs and weights are made
        self.read = None  # returns the value of an operator that reads a number, or None

    @contextlib.contextmanager
    def recording(self):
        with enable_python_dispatcher(), self:
            yield self

    def add(self, tensor, node=None):
        """A new value for the tensor, which later nodes refer to."""
        storage = tensor.untyped_storage()
        value = Value(tuple(tensor.shape), tensor.dtype, storage._cdata,
                      (tuple(tensor.stride()), tensor.storage_offset()), node)
        index = len(self.values)
        self.values.append(value)
        self.tensors.append(tensor)
        self.kept.append(storage)
        self.value_of_id[id(tensor)] = index
        self.latest_of_storage.setdefault(value.storage, []).append(index)
        return index

    def value(self, tensor):
        """The tensor's value. One that shares all of another's memory is the same."""
        known = self.value_of_id.get(id(tensor))
        if known is not None:
            return known
        layout = (tuple(tensor.stride()), tensor.storage_offset())
        for index in reversed(self.latest_of_storage.get(tensor.untyped_storage()._cdata, [])):
            value = self.values[index]
            if (value.shape, value.dtype, value.layout) == (tuple(tensor.shape), tensor.dtype,
                                                            layout):
                self.kept.append(tensor)
                self.value_of_id[id(tensor)] = index
                return index
        index = self.add(tensor)
        self.data[index] = snapshot(tensor)
        return index

    def data_of(self, value):
        """The original content of a tensor that no recorded operator made."""
        data = self.data.get(value)
        if data is None:
            raise NeedsValues()
        return data

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        as_ref = lambda tensor: Ref(self.value(tensor))
        node = Node(func, map_tensors(tuple(args), torch.Tensor, as_ref),
                    map_tensors(kwargs, torch.Tensor, as_ref), [], [])
        for position, argument in enumerate(func._schema.arguments):
            if argument.alias_info is not None and argument.alias_info.is_write:
                given = (node.args[position] if position < len(node.args) else
                         node.kwargs.get(argument.name))
                node.writes += refs_of(given)
        result = self.read(node) if self.read is not None else None
        if result is None:
            result = func(*args, **kwargs)
        tensors = []
        map_tensors(result, torch.Tensor, tensors.append)
        index = len(self.nodes)
        self.nodes.append(node)
        # Operators such as contiguous may return their argument.
        node.outputs = [self.value_of_id[id(tensor)] if id(tensor) in self.value_of_id and
                        not node.writes and node.name not in LIFTS else self.add(tensor, index)
                        for tensor in tensors]
        return result

    def bytes(self):
        """The size of all memory that was recorded."""
        return sum({s._cdata: s.nbytes() for s in self.kept
                    if isinstance(s, torch.UntypedStorage)}.values())

    def begin_forward(self):
        """The number of the first node that is the module's own."""
        self.in_forward = True
        return len(self.nodes)
