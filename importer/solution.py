"""What a solution of KernelBench calls its extension with, found by running its forward once for
each point of its problem's package, without data."""

import inspect
import json
import re
import time

import torch
from torch._subclasses.fake_tensor import (DataDependentOutputException,
                                           DynamicOutputShapeException, FakeTensorMode)

from .extension import check_text, replaced_build, sources_of
from .graph import live_nodes, without_unread_statistics
from .module_file import ModuleFile
from .recorder import Recorder, refs_of
from .refusal import Refusal, one_line
from .solution_device import as_if_on_gpu
from .solution_plan import KernelNode, PlanMaker, merged, summary
from .solution_session import Session
from .solution_weights import Maker, Weights
from .trace import flattened, read_number, without_mkldnn

CLASS = "ModelNew"
# Shapes of a function's results are guessed, and a worker sees which guess was right.
MOST_RUNS = 100  # for the problem's own shape
MOST_FURTHER_RUNS = 16  # for each other, which begins with what was right for that
MOST_SECONDS = 15.0
DECIDED_BY_DATA = (DataDependentOutputException, DynamicOutputShapeException)


class Solution:
    def __init__(self, path, problem):
        """`problem`: a ModuleSource."""
        self.path, self.problem = path, problem
        self.file = ModuleFile(path)
        check_text(self.file.tree, path.name)
        self.extensions = []
        self.hints = []  # of the first point
        self.one_plan = False  # it had

    def plans(self, point):
        """Alternatives for one point of the problem's package."""
        recorder = Recorder()
        session = Session(recorder)
        session.hints = self.hints
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
            most = MOST_FURTHER_RUNS if self.hints else MOST_RUNS
            plans, hints = run.plans(1 if self.one_plan else most)
        self.extensions = session.extensions
        if not self.hints:
            self.hints, self.one_plan = hints, len(plans) == 1
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
        """Sources, glue and what else `rkb` needs to evaluate the solution."""
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
    """The forward of a constructed solution, with each guess of what its functions return."""

    def __init__(self, recorder, session, call, point, problem, solution, model):
        self.recorder, self.session, self.call, self.point = recorder, session, call, point
        self.solution, self.model = solution, model
        named, self.inputs = [], {}
        names = {}
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

    def plans(self, most):
        """Alternatives, and the origins of what the functions of the first one return. After `most`
        runs one that is found is enough."""
        found, failure = [], None
        began = time.monotonic()
        for run in range(MOST_RUNS):
            try:
                plan = self.run()
                if plan is not None:
                    found.append((plan, [guess.choice[0] for guess in self.session.guesses]))
                    if is_certain(plan):
                        break
            except (Refusal, *DECIDED_BY_DATA):
                raise
            except Exception as error:
                failure = failure or error
            late = run + 1 >= most or time.monotonic() - began > MOST_SECONDS
            if found and late or not self.session.advance():
                break
        if found:
            # A view that changes nothing was hardly written, so those come first that change more.
            found.sort(key=lambda item: -len(item[0].steps))
            return merged([plan for plan, _ in found]), found[0][1]
        if failure is not None:
            raise failure
        raise Refusal("the shapes of what the extension's functions return cannot be told",
                      "let forward return what the extension returns")

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
        """A tensor that the constructor made: a weight of the problem, or computed."""
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
            # Computed of weights, as far as it is by operators that change nothing.
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


def is_certain(plan):
    """Whether no guess was of a tensor that something else reads."""
    return all(shape is None for step in plan.steps for shape in step.get("results", []))
