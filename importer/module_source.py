"""A KernelBench problem, or any module or function with example inputs."""

import contextlib
import inspect
import re

import torch

from .module_file import ModuleFile
from .refusal import Refusal
from .robust_kbench_folder import summary_of
from .source import Argument, Call, Source, text_of

INPUTS = ("get_inputs", "example_inputs")
HELPERS = {*INPUTS, "get_init_inputs"}


class ModuleSource(Source):
    """`Model`, `get_inputs()` and `get_init_inputs()` make a KernelBench problem.

    Else the file has one class derived from torch.nn.Module or one public function, and
    `get_inputs()` or `example_inputs()`.
    """

    def __init__(self, path):
        self.file = ModuleFile(path)
        self.name = path.stem
        module = self.file.load()
        self.texts = [text_of(path)]
        self.entry = entry_of(module, path.name)
        self.inputs = next((name for name in INPUTS if callable(getattr(module, name, None))), None)
        if self.inputs is None:
            raise Refusal(f"{path.name} has no function get_inputs",
                          "add one that returns a list of the arguments of forward")
        self.kind = "kernelbench" if self.entry == "Model" and self.inputs == "get_inputs" and \
            hasattr(module, "get_init_inputs") else "module"
        self.summary = summary_of(getattr(module, self.entry))
        self.defaults = dict(self.file.constants)
        self.configs = {"forward": {f"single_{part}_configs": [{}]
                                    for part in ("input", "init", "shared")}}
        self.notes = []

    def call(self, recorder, params):
        module = self.file.load(params)
        given = module.__dict__.get("get_init_inputs", list)()
        entry = getattr(module, self.entry)
        model = entry
        if inspect.isclass(entry):
            model = entry(**given) if isinstance(given, dict) else entry(*given)
        inputs = getattr(module, self.inputs)()
        inputs = list(inputs) if isinstance(inputs, (list, tuple)) else [inputs]
        inputs = [i.detach() if isinstance(i, torch.Tensor) else i for i in inputs]
        check_arity(model, inputs)
        first = recorder.begin_forward()
        output = model(*inputs)
        outputs = list(output) if isinstance(output, (tuple, list)) else [output]
        arguments = [Argument(name, i, True) for name, i in zip(names_of(model, inputs), inputs)]
        if isinstance(model, torch.nn.Module):
            taken = {a.name for a in arguments}
            for name, tensor in named_tensors(model):
                spelt = re.sub(r"\W", "_", name)
                spelt = "weight_" + spelt if spelt[0].isdigit() else spelt
                while spelt in taken:
                    spelt += "_"
                taken.add(spelt)
                arguments.append(Argument(spelt, tensor, False))
        return Call(arguments, outputs, first, len(recorder.nodes), model, inputs)

    def rerun(self, call, tensors):
        with swapped(call, tensors):
            inputs = [tensors.get(a.name, a.given) if not isinstance(a.given, (tuple, list)) else
                      type(a.given)(tensors.get(f"{a.name}_{i}", item)
                                    for i, item in enumerate(a.given))
                      for a in call.arguments if a.is_input]
            return call.model(*inputs)


@contextlib.contextmanager
def swapped(call, tensors):
    """The model with other values in its parameters and buffers."""
    before = []
    if isinstance(call.model, torch.nn.Module):
        for argument in call.arguments:
            if not argument.is_input and argument.name in tensors:
                before.append((argument.given, argument.given.data))
                argument.given.data = tensors[argument.name]
        floating = next((t.dtype for t in tensors.values() if t.is_floating_point()), None)
        others = [b for b in call.model.buffers() if b.is_floating_point() and
                  not any(b is tensor for tensor, _ in before)]
        for buffer in others:
            before.append((buffer, buffer.data))
            buffer.data = buffer.data.to(floating or buffer.dtype).clone()
    try:
        yield
    finally:
        for tensor, data in before:
            tensor.data = data


def named_tensors(model):
    yield from model.named_parameters()
    yield from model.named_buffers()


def names_of(model, inputs):
    function = model.forward if isinstance(model, torch.nn.Module) else model
    names = []
    for name, p in inspect.signature(function).parameters.items():
        if p.kind is p.VAR_POSITIONAL:
            names += [f"{name}_{i}" for i in range(len(inputs) - len(names))]
        elif p.kind is not p.VAR_KEYWORD:
            names.append(name)
    return names


def check_arity(model, inputs):
    function = model.forward if isinstance(model, torch.nn.Module) else model
    try:
        inspect.signature(function).bind(*inputs)
    except TypeError as error:
        raise Refusal(f"get_inputs returns {len(inputs)} arguments, which forward does not take: "
                      f"{error}", "return one for each argument of forward, in a list") from error


def entry_of(module, file):
    """The name of the class or function that is imported."""
    own = {name: thing for name, thing in vars(module).items()
           if getattr(thing, "__module__", None) == module.__name__}
    classes = [name for name, thing in own.items()
               if inspect.isclass(thing) and issubclass(thing, torch.nn.Module)]
    if "Model" in classes:
        return "Model"
    if len(classes) == 1:
        return classes[0]
    functions = [name for name, thing in own.items() if inspect.isfunction(thing) and
                 name not in HELPERS and not name.startswith("_")]
    if not classes and len(functions) == 1:
        return functions[0]
    raise Refusal(f"{file} has no class Model, and {len(classes)} other modules and "
                  f"{len(functions)} functions",
                  "name the module that is imported Model, or leave one of them in the file")
