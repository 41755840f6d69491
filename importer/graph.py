"""Makes the graph of a package from a recording: only the nodes that outputs depend on."""

import torch

from .encode import MAX_CONSTANT_BYTES, dtype_name, encoded_argument, encoded_constant
from .recorder import Ref, map_tensors, refs_of
from .refusal import Refusal

RANDOM = torch.Tag.nondeterministic_seeded
# Indices of an operator's dropout probability, and of the argument that turns dropout on.
DROPOUTS = {"aten::dropout": (1, 2), "aten::dropout_": (1, 2), "aten::feature_dropout": (1, 2),
            "aten::alpha_dropout": (1, 2), "aten::feature_alpha_dropout": (1, 2),
            "aten::dropout_.default": (1, 2), "aten::feature_dropout_": (1, 2)}
DECIDES = {"aten::item", "aten::_local_scalar_dense", "aten::is_nonzero", "aten::equal",
           "aten::allclose"}
SIZED_BY_DATA = {"aten::nonzero", "aten::nonzero_numpy", "aten::masked_select", "aten::argwhere",
                 "aten::_unique", "aten::_unique2", "aten::unique_dim", "aten::unique_consecutive",
                 "aten::unique_dim_consecutive", "aten::bincount", "aten::histc",
                 "aten::repeat_interleave.Tensor", "aten::repeat_interleave.self_Tensor"}
# Indices of the running statistics, and of the flag under which they are not read.
STATISTICS = {"aten::batch_norm": (3, 4, 5), "aten::instance_norm": (3, 4, 5)}
RECURRENT_DROPOUT = {"aten::lstm.input": (5, 6), "aten::gru.input": (5, 6),
                     "aten::rnn_tanh.input": (5, 6), "aten::rnn_relu.input": (5, 6)}
SAME_TENSOR = {"aten::lift_fresh", "aten::lift", "aten::detach_", "aten::alias",
               "aten::requires_grad_"}


def argument_of(node, position, otherwise=None):
    if position < len(node.args):
        return node.args[position]
    return node.kwargs.get(node.func._schema.arguments[position].name, otherwise)


def is_random(node):
    """Whether the call draws random numbers."""
    if node.name in DROPOUTS:
        probability, training = DROPOUTS[node.name]
        return bool(argument_of(node, training)) and argument_of(node, probability) > 0
    if node.name == "aten::scaled_dot_product_attention":
        return argument_of(node, 4, 0.0) > 0
    if node.name in RECURRENT_DROPOUT:
        probability, training = RECURRENT_DROPOUT[node.name]
        return bool(argument_of(node, training)) and argument_of(node, probability) > 0
    if node.name.startswith("aten::rrelu"):
        return bool(argument_of(node, 3, False))
    return RANDOM in node.func.tags and not node.name.startswith("aten::_scaled_dot")


def without_unread_statistics(node):
    """Drops running statistics of training-mode norms, which update but never read them."""
    if node.name not in STATISTICS:
        return
    mean, variance, training = STATISTICS[node.name]
    if argument_of(node, training):
        node.args = [None if i in (mean, variance) else arg for i, arg in enumerate(node.args)]


def check(recorder, first, arguments):
    """Refuses nodes that a graph cannot hold, from `first` on, as far as `arguments` reach them."""
    reached = set(arguments)
    storages = {recorder.values[value].storage for value in arguments}
    for node in recorder.nodes[first:]:
        without_unread_statistics(node)
        depends = any(value in reached for value in refs_of([node.args, node.kwargs]))
        if is_random(node):
            drops = node.name in DROPOUTS or node.name in RECURRENT_DROPOUT
            raise Refusal(f"forward is random: it calls {node.name}",
                          "call eval() in the constructor, or set the probability to 0" if drops
                          else "let forward take the random numbers as an argument")
        if depends and (node.name in DECIDES | SIZED_BY_DATA or indexes_by_bool(recorder, node)):
            raise decides(node)
        if any(recorder.values[value].storage in storages for value in node.writes):
            raise Refusal(f"forward changes an input or a weight in place by {node.name}",
                          "use the operator that returns a new tensor")
        if depends:
            reached.update(node.outputs)


def decides(node):
    if node.name in DECIDES:
        return Refusal(f"an input decides about the graph: Python reads a tensor by {node.name}",
                       "compute both branches and choose by torch.where")
    return Refusal(f"a size depends on data: {node.name}",
                   "return tensors whose shapes follow from the inputs' shapes")


def indexes_by_bool(recorder, node):
    if not node.name.startswith("aten::index.Tensor"):
        return False
    return any(recorder.values[value].dtype in (torch.bool, torch.uint8)
               for value in refs_of(argument_of(node, 1)))


def live_nodes(recorder, first, inputs, outputs, last=None):
    """Indices of the nodes in [first, last) that the values `outputs` depend on, in order."""
    needed = set(outputs) - set(inputs)
    storages = {recorder.values[value].storage for value in outputs}
    live = []
    for index in reversed(range(first, len(recorder.nodes) if last is None else last)):
        node = recorder.nodes[index]
        writes = any(recorder.values[value].storage in storages for value in node.writes)
        if not writes and not any(value in needed for value in node.outputs):
            continue
        live.append(index)
        for value in refs_of([node.args, node.kwargs]):
            storages.add(recorder.values[value].storage)
            if value not in inputs:
                needed.add(value)
    return live[::-1]


# Overloads of operators on a tensor and a number. They call the same kernels.
SCALAR_FORMS = {"Tensor": "Scalar", "Tensor_mode": "Scalar_mode", "default": "Scalar"}


def scalar_form(node):
    """The operator's name for a number. Python passes numbers for tensors of a schema, but a graph
    cannot."""
    arguments = node.func._schema.arguments
    has_number = any(isinstance(given, (bool, int, float)) and str(argument.type) == "Tensor"
                     for given, argument in zip(node.args, arguments))
    form = SCALAR_FORMS.get(node.func._overloadname or "default")
    if has_number and form in node.func.overloadpacket.overloads():
        return f"{node.func._schema.name}.{form}"
    return node.name


class GraphMaker:
    """Makes the graph whose inputs and outputs are given values of a recorder."""

    def __init__(self, recorder, inputs, constant_of):
        """`constant_of(value)` gives the tensor of a value that no node made."""
        self.recorder = recorder
        self.inputs = list(inputs)
        self.constant_of = constant_of

    def make(self, nodes, outputs, names):
        known, constants = set(self.inputs), []
        for refs, made in [(refs_of([n.args, n.kwargs]), n.outputs) for n in nodes] + [(outputs, [])]:
            constants += [value for value in dict.fromkeys(refs) if value not in known]
            known.update(refs, made)
        number = {value: i for i, value in enumerate(self.inputs + constants)}
        following = len(number)
        written = {self.recorder.values[v].storage for node in nodes for v in node.writes
                   if node.name not in SAME_TENSOR}
        if any(value in constants for node in nodes if node.name not in SAME_TENSOR
               for value in node.writes):
            raise Refusal("forward changes a tensor in place that a later call would read",
                          "use the operator that returns a new tensor")
        encoded = []
        for node in nodes:
            if self.is_same_tensor(node, written):
                number[node.outputs[0]] = number[refs_of(node.args)[0]]
                continue
            encoded.append(self.encoded(node, number, written))
            for value in node.outputs:
                number[value] = following
                following += 1
        graph = {"inputs": names, "constants": self.encoded_constants(constants),
                 "nodes": encoded, "outputs": [number[value] for value in outputs]}
        return graph

    def is_same_tensor(self, node, written):
        if node.name in DROPOUTS:
            return True  # dropouts that drop nothing; others are refused
        if node.name not in SAME_TENSOR:
            return False
        return self.recorder.values[node.outputs[0]].storage not in written

    def encoded(self, node, number, written):
        kwargs = {key: value for key, value in node.kwargs.items()
                  if value is not None and key != "generator"}
        func = scalar_form(node)
        if func in SAME_TENSOR:
            func, kwargs = "aten::clone", {}  # each call changes a tensor of its own
        numbered = lambda value: number[value]
        call = {"op": func, "args": [encoded_argument(a, numbered, func) for a in node.args]}
        if kwargs:
            call["kwargs"] = {key: encoded_argument(a, numbered, func)
                              for key, a in kwargs.items()}
        call["outputs"] = len(node.outputs)
        return call

    def encoded_constants(self, constants):
        tensors = [self.constant_of(value) for value in constants]
        size = sum(tensor.numel() * tensor.element_size() for tensor in tensors)
        if size > MAX_CONSTANT_BYTES:
            raise Refusal(f"forward reads constants of {size >> 20} MiB that are no parameters",
                          f"register them as buffers; a package holds {MAX_CONSTANT_BYTES >> 20} MiB")
        return [encoded_constant(tensor) for tensor in tensors]
