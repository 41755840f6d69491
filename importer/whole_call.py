"""One call of an imported task as a function of all its tensors, which torch.compile takes."""

import json
import pathlib

import torch

from . import content
from .encode import DTYPES
from .evaluate import Evaluator


class WholeCall:
    """The forward or the backward of a point, called with its tensors in the order of `names`.

    Returns a tuple: the outputs, or the gradients that the package names.
    """

    def __init__(self, request):
        package = json.loads(pathlib.Path(request["package"]).read_text())
        self.point = next(p for p in package["points"] if p["params"] == request["params"])
        self.graph = package["graphs"][self.point["graph"]]
        self.device = request["device"]
        self.evaluator = Evaluator(self.graph, False, self.device)
        tensors = content.tensors_of(self.point, package["graphs"], 1, self.device)
        # The other tensors of a call are the incoming gradients of the floating outputs, in their
        # order.
        self.incoming = [name for name in request["tensors"] if name not in tensors]
        tensors |= self.incoming_gradients()
        self.names = [name for name in request["tensors"] if tensors[name] is not None]
        self.examples = tuple(tensors[name] for name in self.names)
        self.gradients = package["backward"]["outputs"] if request["direction"] == "backward" else []

    def incoming_gradients(self):
        generator = torch.Generator().manual_seed(2)
        draw = lambda output: torch.randn(output["shape"], generator=generator).to(
            self.device, DTYPES[output["dtype"]])
        floating = [o for o in self.point["outputs"] if DTYPES[o["dtype"]].is_floating_point]
        return dict(zip(self.incoming, map(draw, floating)))

    def outputs(self, tensors):
        return self.evaluator([tensors.get(name) for name in self.graph["inputs"]])

    def __call__(self, *values):
        tensors = dict(zip(self.names, values))
        if not self.gradients:
            return tuple(self.outputs(tensors))
        leaves = [tensors[name].detach().requires_grad_() for name in self.gradients]
        with torch.enable_grad():
            outputs = self.outputs(tensors | dict(zip(self.gradients, leaves)))
            floating = [o for o in outputs if o.is_floating_point()]
            reached = [(o, tensors[name]) for o, name in zip(floating, self.incoming)
                       if o.requires_grad]
            return torch.autograd.grad([o for o, _ in reached], leaves, [g for _, g in reached],
                                       allow_unused=True, materialize_grads=True)
