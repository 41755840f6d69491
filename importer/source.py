"""The interface of every kind of source."""

import dataclasses
import hashlib
import typing


@dataclasses.dataclass
class Argument:
    """One argument of the kernel: its name in the source, and its value in one call."""
    name: str
    given: typing.Any
    is_input: bool  # else a weight
    optional_tensor: bool = True  # None stands for a tensor that is absent


@dataclasses.dataclass
class Call:
    """One recorded call: its arguments, and its outputs in the order of the kernel's."""
    arguments: list
    outputs: list
    first: int  # of the recorder's nodes
    last: int
    model: typing.Any = None
    inputs: list = dataclasses.field(default_factory=list)
    output_names: list = None  # the source's own, where it has some


@dataclasses.dataclass
class BackwardCall:
    """The arguments of a backward kernel, and the names of the arguments whose gradients it
    returns."""
    arguments: list  # as they were passed
    gradients: list  # names of the forward's arguments, in the order of the results
    incoming: list  # the incoming gradients


class Source:
    """A file or folder that becomes a task.

    kind, name and texts are in the form of the package. defaults holds parameters, configs are by
    direction.
    """
    kind = ""
    needs_data = False  # whether following shapes alone has failed
    out_arguments = False  # whether its kernels write their outputs to their last arguments

    def call(self, recorder, params):
        """Makes inputs and weights, and runs the module. All of it is recorded."""
        raise NotImplementedError

    def backward(self, call):
        """A BackwardCall, or None where the source has no backward."""
        return None

    def rerun(self, call, tensors):
        """The module's own result for other tensors, by the names of arguments."""
        raise NotImplementedError


def text_of(path):
    text = path.read_text(errors="replace")
    return {"file": path.name, "text": text,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest()}
