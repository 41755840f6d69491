"""A robust-kbench folder: func_forward.py, its configs, and func_backward.py where it has one."""

import inspect
import json

import torch

from .module_file import ModuleFile
from .refusal import Refusal, one_line
from .source import Argument, BackwardCall, Call, Source, text_of

SETS = ("single", "multi", "small")
PARTS = ("input", "init", "shared")
RESERVED = {"seed"}
MOST_GRADIENTS = 32


class Context:
    """The context that torch passes to an autograd function."""

    def save_for_backward(self, *tensors):
        self.saved_tensors = tensors

    def mark_non_differentiable(self, *tensors):
        pass

    needs_input_grad = (True,) * 64


def keywords_of(function):
    """Names of the parameters of a function that a config may give."""
    return {name: p for name, p in inspect.signature(function).parameters.items()
            if name not in ("self", "fn") and p.kind in (p.POSITIONAL_OR_KEYWORD, p.KEYWORD_ONLY)}


def chosen(function, params):
    known = keywords_of(function)
    return {name: value for name, value in params.items() if name in known}


class RobustKbenchFolder(Source):
    kind = "robust-kbench"

    def __init__(self, folder):
        self.name = folder.name
        self.file = ModuleFile(folder / "func_forward.py")
        self.module = self.file.load()
        for name in ("Model", "forward_fn", "get_inputs"):
            if not hasattr(self.module, name):
                raise Refusal(f"func_forward.py has no {name}",
                              "give it one, as docs/packages.md says of robust-kbench folders")
        paths = [folder / "func_forward.py"]
        self.backward_module = None
        self.configs = {"forward": read_configs(folder / "config_forward.json")}
        if (folder / "func_backward.py").exists() and (folder / "config_backward.json").exists():
            paths.append(folder / "func_backward.py")
            self.backward_module = ModuleFile(paths[-1]).load()
            self.configs["backward"] = read_configs(folder / "config_backward.json")
        self.texts = [text_of(path) for path in paths]
        self.summary = summary_of(self.module.forward_fn)
        self.defaults, self.notes = self.find_defaults()

    def find_defaults(self):
        """Every parameter with a default. Those that no function has are dropped from configs."""
        functions = [f for module in (self.backward_module, self.module) if module is not None
                     for f in (module.Model.__init__, module.get_inputs)]
        listed = [config for sets in self.configs.values() for configs in sets.values()
                  for config in configs]
        defaults, unknown = {}, set()
        known = {name: p.default for f in functions for name, p in keywords_of(f).items()
                 if p.default is not p.empty}
        names = {name for f in functions for name in keywords_of(f)}
        for config in listed:
            for name in list(config):
                if name not in names or not isinstance(config[name], (bool, int, float, str)):
                    unknown.add(name)
                    del config[name]
        for name in sorted(names):
            given = [config[name] for config in listed if name in config]
            value = known.get(name)
            if value is None and given:
                value = given[0]
            if any(isinstance(g, float) for g in given) and isinstance(value, int):
                value = float(value)
            if isinstance(value, (bool, int, float, str)):
                defaults[name] = value
        notes = [f"Configs give {name}, which no function of the folder takes."
                 for name in sorted(unknown - RESERVED)]
        return defaults, notes

    def call(self, recorder, params):
        inputs = list(self.module.get_inputs(**chosen(self.module.get_inputs, params)))
        model = self.module.Model(**chosen(self.module.Model.__init__, params))
        inputs = [i.detach() if isinstance(i, torch.Tensor) else i for i in inputs]
        seen = []

        def fn(*args, **kwargs):
            first = recorder.begin_forward()
            result = self.module.forward_fn(*args, **kwargs)
            seen.append((args, kwargs, first, len(recorder.nodes), result))
            return result

        output = model(*inputs, fn=fn)
        if len(seen) != 1 or output is not seen[0][4]:
            raise Refusal(f"Model.forward calls fn {len(seen)} times or changes its result",
                          "return fn(...) from it, and do all else in forward_fn")
        args, kwargs, first, last, result = seen[0]
        ids = {id(i) for i in inputs}
        outputs = list(result) if isinstance(result, (tuple, list)) else [result]
        arguments = [Argument(name, given, id(given) in ids, takes_tensor(parameter))
                     for name, given, parameter in self.bound(args, kwargs)]
        return Call(arguments, outputs, first, last, model, inputs)

    def bound(self, args, kwargs):
        """The arguments in the order of forward_fn's, with the defaults that Model leaves out."""
        signature = inspect.signature(self.module.forward_fn)
        bound = signature.bind(*args, **kwargs)
        bound.apply_defaults()
        for name, given in bound.arguments.items():
            parameter = signature.parameters[name]
            if parameter.kind is parameter.VAR_POSITIONAL:
                yield from ((f"{name}_{i}", item, parameter) for i, item in enumerate(given))
            elif parameter.kind is parameter.VAR_KEYWORD:
                yield from ((key, item, parameter) for key, item in given.items())
            else:
                yield name, given, parameter

    def backward(self, call):
        """Runs AutogradFunction, whose backward_fn a recorder replaces."""
        function = getattr(self.backward_module, "AutogradFunction", None)
        if function is None:
            return None
        context = Context()
        with torch.enable_grad():
            outputs = function.forward(context, *[a.given for a in call.arguments])
        outputs = outputs if isinstance(outputs, (tuple, list)) else [outputs]
        incoming = [torch.empty_like(output) for output in outputs]
        before = function.backward_fn
        try:
            for count in range(1, MOST_GRADIENTS + 1):
                calls, results = [], [torch.zeros(()) for _ in range(count)]
                function.backward_fn = lambda *args: calls.append(args) or (
                    results[0] if count == 1 else tuple(results))
                try:
                    returned = function.backward(context, *incoming)
                except (TypeError, ValueError, IndexError):
                    continue  # it unpacks another number of them
                returned = returned if isinstance(returned, (tuple, list)) else [returned]
                positions = [next((i for i, r in enumerate(returned) if r is result), None)
                             for result in results]
                if None in positions or len(calls) != 1:
                    continue
                return BackwardCall(list(calls[0]), [call.arguments[i].name for i in positions],
                                    incoming)
        finally:
            function.backward_fn = before
        raise Refusal("AutogradFunction.backward does not return what backward_fn returns",
                      "hand backward_fn's results on as they are, or leave func_backward.py out")

    def rerun(self, call, tensors):
        arguments = [tensors.get(a.name, a.given) if not isinstance(a.given, (tuple, list)) else
                     type(a.given)(tensors.get(f"{a.name}_{i}", item)
                                   for i, item in enumerate(a.given))
                     if any(isinstance(item, torch.Tensor) for item in a.given) else a.given
                     for a in call.arguments]
        signature = inspect.signature(self.module.forward_fn)
        named = {a.name: given for a, given in zip(call.arguments, arguments)
                 if a.name in signature.parameters and
                 signature.parameters[a.name].kind is inspect.Parameter.KEYWORD_ONLY}
        rest = [given for a, given in zip(call.arguments, arguments) if a.name not in named]
        return self.module.forward_fn(*rest, **named)


def takes_tensor(parameter):
    annotation = str(parameter.annotation)
    return parameter.annotation is parameter.empty or "Tensor" in annotation


def summary_of(function):
    """The first sentence of the function's docstring."""
    lines = " ".join((inspect.getdoc(function) or "").split())
    sentence = lines.split(". ")[0].split(": ")[0].rstrip(".:")
    return (sentence + ".") if sentence else f"{function.__name__}."


def read_configs(path):
    try:
        text = json.loads(path.read_text())
    except (OSError, ValueError) as error:
        raise Refusal(f"{path.name} cannot be read: {one_line(error)}",
                      "write it as robust-kbench does") from error
    return {f"{s}_{part}_configs": [dict(config) for config in text.get(f"{s}_{part}_configs", [])]
            or [{}] for s in SETS if any(f"{s}_{p}_configs" in text for p in PARTS)
            for part in PARTS}
