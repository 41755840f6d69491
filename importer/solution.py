"""Finds the calls that a solution of KernelBench makes of its extension.

The solution's forward runs once without data for each point of its problem's package."""

import inspect
import json
import re

import torch
from torch._subclasses.fake_tensor import (DataDependentOutputException,
                                           DynamicOutputShapeException, FakeTensorMode)

from .extension import check_text, replaced_build, sources_of
from .graph import live_nodes, without_unread_statistics
from .module_file import ModuleFile
from .recorder import Recorder, refs_of
from .refusal import Refusal, one_line
from .solution_device import as_if_on_gpu
from .solution_plan import KernelNode, PlanMaker, summary
from .solution_search import Search
from .solution_session import Session
from .solution_weights import Maker, Weights
from .trace import flattened, read_number, without_mkldnn

CLASS = "ModelNew"
DECIDED_BY_DATA = (DataDependentOutputException, DynamicOutputShapeException)


class Solution:
    def __init__(self, path, problem):
        """`problem` is a ModuleSource."""
        self.path, self.problem = path, problem
        self.file = ModuleFile(path)
        check_text(self.file.tree, path.name)
        self.extensions = []
        self.known = None  # the knowledge from the first point

    def plans(self, point):
        """Alternatives for one point of the problem's package."""
        recorder = Recorder()
        session = Session(recorder)
        with torch.random.fork_rng(devices=[]), FakeTensorMode(allow_non_fake_inputs=True), \
                torch.no_grad(), without_mkldnn(), as_if_on_gpu(), \
                replaced_build(session.build), recorder.recording():
            torch.manual_seed(0)
            recorder.read = lambda node: read_number(recorder, node)
            call = self.problem.call(recorder, point["params"])
            recorder.in_forward = False
            first = len(recorder.nodes)
            model = self.construct(point["params"])
            run = Run(recorder, session, call, point, Maker(recorder, 0, call.first),
                      Maker(recorder, first, len(recorder.nodes)), model)
            plans, told = Search(session, run.run, DECIDED_BY_DATA).plans(self.known)
        self.extensions = session.extensions
        self.known = self.known or told
        return plans

    def construct(self, params):
        module = self.file.load(params)
        if not inspect.isclass(getattr(module, CLASS, None)):
            raise Refusal(f"{self.path.name} has no class {CLASS}", f"name its module {CLASS}")
        given = self.problem.file.load(params).__dict__.get("get_init_inputs", list)()
        try:
            return module.ModelNew(**given) if isinstance(given, dict) else module.ModelNew(*given)
        except Refusal:
            raise
        except Exception as error:
            raise Refusal(f"{CLASS} cannot be constructed: {one_line(error)}",
                          "see that it takes what get_init_inputs() returns") from error

    def read(self, package):
        """The sources, the glue and all else that `rkb` needs to evaluate the solution."""
        plans, points, raised = [], package["points"], 0
        listed = [p for p in points if p["params"] == package["defaults"]] or points[:1]
        for point in listed + [p for p in points if p not in listed]:
            shapes = shapes_of(point)
            try:
                found = self.plans(point)
            except Refusal:
                raise
            except DECIDED_BY_DATA as error:
                raise Refusal("an input decides what forward's Python does: " + one_line(error, 120),
                              "let the extension decide") from error
            except Exception as error:
                if point in listed:
                    raise Refusal(f"forward fails: {one_line(error)}", f"see that {CLASS} works on "
                                  "the problem's inputs") from error
                raised += 1
                plans.append({"shapes": shapes, "raised": one_line(error, 200)})
                continue
            for plan in found:
                plans.append({"shapes": shapes, "steps": plan.steps, "outputs": plan.outputs})
            if point in listed:
                glue = summary(found[0])
        parameters = [{"name": name_of(argument), "kind": kind_of(argument), "optional": True}
                      for argument in points[0]["arguments"]]
        text = json.dumps({"parameters": parameters, "plans": plans}, separators=(",", ":"))
        extensions = list({e.name + e.cuda: e for e in self.extensions}.values())
        return {"files": sources_of(extensions, text), "glue": glue, "points": len(points),
                "points_refused": raised,
                "options": list(dict.fromkeys(o for e in extensions for o in e.options)),
                "libraries": list(dict.fromkeys(l for e in extensions for l in e.libraries))}


def name_of(argument):
    return argument.get("tensor") or argument.get("parameter") or argument.get("name", "values")


def kind_of(argument):
    """rkb_kind's number."""
    if "tensor" in argument:
        return 1
    return 2 if type(argument.get("value", 0)) is int else 3


def shapes_of(point):
    shapes = {t["name"]: t["shape"] if t["distribution"] else None
              for t in point["inputs"] + point["weights"]}
    return [shapes[a["tensor"]] if "tensor" in a else None for a in point["arguments"]]


class Run:
    """The forward of a constructed solution, with the session's guesses."""

    def __init__(self, recorder, session, call, point, problem, solution, model):
        self.recorder, self.session, self.call, self.point = recorder, session, call, point
        self.solution, self.model = solution, model
        named, names = [], {}
        for name, tensor, argument in flattened(call.arguments):
            spelt = re.sub(r"\W", "_", name)
            value = recorder.value(tensor)
            if value in names:
                continue
            names[value] = spelt
            if not argument.is_input:
                named.append((spelt, value))
        self.weights = Weights(problem, solution, named)
        position = {a["tensor"]: i for i, a in enumerate(point["arguments"]) if "tensor" in a}
        self.position = position
        self.known = {value: position[name] for value, name in names.items() if name in position}
        self.names = {}
        for name, tensor in [*model.named_parameters(), *model.named_buffers()]:
            self.names.setdefault(recorder.value(tensor), []).append(re.sub(r"\W", "_", name))
        self.expected = [tuple(t.shape) for t in call.outputs]
        session.expected = [(("whole", i, flat), (t.numel(),) if flat else tuple(t.shape), t.dtype)
                            for flat in (False, True) for i, t in enumerate(call.outputs)]
        made = [recorder.values[v] for node in recorder.nodes[call.first:call.last]
                for v in node.outputs]
        session.made = [(("made", i), value.shape, value.dtype) for i, value in enumerate(made)]
        session.layers = self.layers
        self.readers = {}  # by name of a weight: numbers of the results of operators that read it
        for node in recorder.nodes[call.first:call.last]:
            for value in refs_of([node.args, node.kwargs]):
                if names.get(value) in dict(named):
                    self.readers.setdefault(names[value], []).extend(
                        made.index(recorder.values[v]) for v in node.outputs)

    def layers(self, tensors):
        """Numbers of the results of the problem's operators that read the weights among these
        tensors."""
        values = [self.recorder.value(tensor) for tensor in tensors]
        found = [self.weights.find(value, self.names[value]) for value in values
                 if value in self.names]
        return [number for name in found if name for number in self.readers.get(name, [])]

    def run(self):
        recorder, session = self.recorder, self.session
        session.next_guess = 0
        first = len(recorder.nodes)
        recorder.in_forward = session.running = True
        try:
            output = self.model(*self.call.inputs)
        finally:
            recorder.in_forward = session.running = False
        outputs = list(output) if isinstance(output, (tuple, list)) else [output]
        if not all(isinstance(o, torch.Tensor) for o in outputs) or \
                len(outputs) != len(self.expected):
            raise Refusal("forward returns something else than the problem's",
                          "return as many tensors as Model does")
        if [tuple(o.shape) for o in outputs] != self.expected:
            return None
        values = [recorder.value(o) for o in outputs]
        return self.plan(first, len(recorder.nodes), values)

    def plan(self, first, last, outputs):
        recorder = self.recorder
        number, self.reshaped = dict(self.known), {}
        nodes = [recorder.nodes[i] for i in
                 live_nodes(recorder, first, set(number), outputs, last)]
        for node in nodes:
            if not isinstance(node, KernelNode):
                without_unread_statistics(node)
        made = {v for node in nodes for v in node.outputs
                if v not in refs_of([node.args, node.kwargs])}
        before = []
        for value in [v for node in nodes for v in refs_of([node.args, node.kwargs])] + outputs:
            if value not in made and value not in number:
                self.resolve(value, number, before)
        maker = PlanMaker(recorder, number, {id(node) for node in before})
        plan = maker.make(before + nodes, outputs, len(self.point["arguments"]), self.reshaped)
        if not any("call" in step for step in plan.steps):
            raise Refusal("forward does not call its extension for these inputs",
                          "return what the extension computes")
        return plan

    def resolve(self, value, number, before, called=None):
        """Resolves a tensor that the constructor made. It is a weight of the problem, or computed
        from weights."""
        if value in number or any(value in node.outputs for node in before):
            return
        name = self.weights.find(value, self.names.get(value, []))
        if name in self.position:
            number[value] = self.position[name]
            shape = self.recorder.values[value].shape
            if shape != self.weights.shape_of(name):
                self.reshaped[value] = self.position[name]
            return
        nodes = self.solution.nodes_of(value)
        if self.solution.is_random(value) or not nodes:
            # The tensor is computed from weights, if all operators on the way change nothing in
            # place.
            called = called or next(iter(self.names.get(value, [])), None)
            node = self.recorder.nodes[self.recorder.values[value].node or 0]
            if value not in node.outputs or node.writes or self.is_random(node) or not \
                    refs_of(node.args):
                called = called or "a tensor of the constructor"
                raise Refusal(f"{called} is no weight of the problem, for all that seeds and the "
                              "order of construction say", "make the weights as the problem does")
            nodes = [node]
            for given in refs_of([node.args, node.kwargs]):
                self.resolve(given, number, before, called)
        before += [node for node in nodes if all(node is not other for other in before)]

    @staticmethod
    def is_random(node):
        return torch.Tag.nondeterministic_seeded in node.func.tags
