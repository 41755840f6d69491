"""A definition of flashinfer-bench: axes, inputs, outputs and a reference in one JSON file."""

import hashlib
import json
import math

import torch

from .encode import DTYPES
from .module_file import ModuleFile
from .refusal import Refusal, one_line
from .source import Argument, Call, Source

FIELDS = ("name", "axes", "inputs", "outputs", "reference")
# A definition may have hundreds of workloads.
MOST_CONFIGS = 12
SUFFICES = "give --workloads FILE, a line of JSON for each"


class Definition(Source):
    """A definition as a source. Its kernel takes the inputs in order, then the outputs, and returns
    nothing.

    Variable axes and scalar inputs are parameters. Workloads give their values.
    """
    kind = "flashinfer-bench"
    out_arguments = True

    def __init__(self, path, workloads):
        definition = parsed(path, path.read_text(errors="replace"))
        missing = [field for field in FIELDS if field not in definition]
        if missing:
            raise Refusal(f"{path.name} is no definition of flashinfer-bench: it has no "
                          f"{', '.join(missing)}", "name a definition, or a file in Python")
        self.inputs, self.outputs = definition["inputs"], definition["outputs"]
        self.constraints = definition.get("constraints") or []
        self.constants = {name: axis["value"] for name, axis in definition["axes"].items()
                          if axis["type"] == "const"}
        self.variables = [name for name in definition["axes"] if name not in self.constants]
        self.scalars = [name for name, spec in self.inputs.items() if spec["shape"] is None]
        self.check_dtypes()
        reference = definition["reference"]
        self.name = path.stem
        self.file = ModuleFile(path.with_suffix(".py"), reference)
        self.texts = [{"file": path.stem + ".py", "text": reference,
                       "sha256": hashlib.sha256(reference.encode()).hexdigest()}]
        self.summary = (definition.get("description") or definition["name"]).split(". ")[0].rstrip(
            ".") + "."
        self.notes = []
        points = self.points(definition["name"], workloads)
        self.defaults = points[-1]
        self.configs = {"forward": {f"{name}_{part}_configs": listed if part == "shared" else [{}]
                                    for name, listed in (("single", points[-1:]), ("multi", points))
                                    for part in ("input", "init", "shared")}}

    def check_dtypes(self):
        for name, spec in {**self.inputs, **self.outputs}.items():
            if spec["dtype"] not in DTYPES:
                raise Refusal(f"{name} is {spec['dtype']}, a dtype that kernels do not know",
                              "use one of " + ", ".join(DTYPES))

    def points(self, name, workloads):
        """The parameters of the workloads, the largest last."""
        needed = self.variables + self.scalars
        if workloads is None:
            if needed:
                raise Refusal(f"the values of {', '.join(needed)} are not known", SUFFICES)
            return [{}]
        lines = [parsed(workloads, line) for line in workloads.read_text().splitlines() if line]
        own = [line["workload"] for line in lines if line["definition"] == name]
        points, left_out = [], 0
        for workload in own:
            kinds = {given["type"] for given in workload["inputs"].values()}
            if not kinds <= {"random", "scalar"}:
                left_out += 1
                continue
            point = {**{axis: workload["axes"][axis] for axis in self.variables},
                     **{scalar: workload["inputs"][scalar]["value"] for scalar in self.scalars}}
            if point not in points:
                points.append(point)
        if not points:
            raise Refusal(f"of its {len(own)} workloads {left_out} take tensors from files, whose "
                          "content no distribution describes" if own else
                          f"{workloads.name} has no workload of {name}",
                          "give workloads whose tensors are random")
        points.sort(key=lambda point: math.prod(point[axis] for axis in self.variables))
        if left_out:
            self.notes.append("Workloads that take tensors from files are left out, "
                              f"{left_out} of {len(own)}.")
        if len(points) > MOST_CONFIGS:
            self.notes.append(f"{MOST_CONFIGS} of {len(points)} workloads are listed.")
            step = (len(points) - 1) / (MOST_CONFIGS - 1)
            points = [points[round(i * step)] for i in range(MOST_CONFIGS)]
        return points

    def axes(self, params):
        axes = {**self.constants, **{name: params[name] for name in self.variables}}
        for constraint in self.constraints:
            try:
                holds = eval(constraint, {"__builtins__": {}}, axes)
            except Exception:
                continue  # it speaks of content
            if not holds:
                raise Refusal(f"{axes} do not fit together: {constraint}", "give sizes that do")
        return axes

    def call(self, recorder, params):
        axes = self.axes(params)
        run = getattr(self.file.load(), "run", None)
        if run is None:
            raise Refusal("the reference has no function run", "give it one, of the inputs in order")
        arguments = [Argument(name, params[name] if spec["shape"] is None else
                              drawn(name, shape_of(spec, axes), spec["dtype"]), True)
                     for name, spec in self.inputs.items()]
        inputs = [argument.given for argument in arguments]
        first = recorder.begin_forward()
        outputs = self.in_order(run(*inputs))
        last = len(recorder.nodes)
        for (name, spec), output in zip(self.outputs.items(), outputs):
            wanted = (shape_of(spec, axes), DTYPES[spec["dtype"]])
            if isinstance(output, torch.Tensor) and (list(output.shape), output.dtype) != wanted:
                raise Refusal(f"run returns {name} as {output.dtype} of shape {list(output.shape)}, "
                              f"and the definition says {wanted[1]} of {wanted[0]}",
                              "mend the reference or the definition")
        return Call(arguments, outputs, first, last, run, inputs, list(self.outputs))

    def in_order(self, result):
        """The result of run in the order of the outputs: a tensor, several in order, or a
        dictionary of them."""
        if isinstance(result, dict):
            result = [result.get(name) for name in self.outputs]
        outputs = list(result) if isinstance(result, (list, tuple)) else [result]
        if len(outputs) != len(self.outputs):
            raise Refusal(f"run returns {len(outputs)} results, and the definition has "
                          f"{len(self.outputs)} outputs", "mend one of the two")
        return outputs

    def rerun(self, call, tensors):
        return self.in_order(call.model(*(tensors.get(a.name, a.given) for a in call.arguments)))


def parsed(path, text):
    try:
        return json.loads(text)
    except ValueError as error:
        raise Refusal(f"{path.name} is no JSON: {one_line(error)}", "correct the line") from error


def shape_of(spec, axes):
    return [axes[size] if isinstance(size, str) else size for size in spec["shape"]]


def drawn(name, shape, dtype):
    if DTYPES[dtype].is_floating_point:
        return torch.randn(shape, dtype=DTYPES[dtype])
    if dtype == "bool":
        return torch.randint(0, 2, shape).bool()
    raise Refusal(f"{name} is a random tensor of {dtype}, and the definition does not say of what "
                  "range", "import a module whose get_inputs draws it")
