"""The whole import of one source."""

import hashlib
import json
import pathlib
import platform
import re

import torch

from . import backward, probes, verify
from .memory import check_memory
from .refusal import Refusal
from .shapes import Shapes
from .shrink import shrunk_defaults
from .trace import trace_of

VERSION = 1
PARTS = ("input", "init", "shared")
SETS = ("single", "multi", "small")
# What is measured at import: the work of one call in each precision, 0.1 s on a CPU.
AFFORDABLE = {"flops": 2e9, "elements": 2e7}
QUICK = {"flops": 1e8, "elements": 1e6}
# Beyond it a result is what is left of equal terms, and no limit of precision would hold.
MOST_ERROR = 1e-4
# Moments of fewer terms leave such results, too.
LEAST_NORM = 8
SECONDS_FOR_SHAPES = 8.0


def importer_hash():
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def listed_params(source, direction, sets=("single", "multi")):
    """The parameters of each listed config, as a config file gives them."""
    configs = source.configs.get(direction, {})
    found = []
    for name in sets:
        lists = [configs.get(f"{name}_{part}_configs") for part in PARTS]
        if all(part is None for part in lists):
            continue
        init, inputs, shared = (lists[PARTS.index(p)] or [{}] for p in ("init", "input", "shared"))
        for a in init:
            for b in inputs:
                for c in shared:
                    params = {**source.defaults, **a, **b, **c}
                    params = {k: as_default(v, source.defaults[k]) for k, v in params.items()
                              if k in source.defaults}
                    if params not in found:
                        found.append(params)
    return found


def as_default(value, default):
    return float(value) if isinstance(default, float) and isinstance(value, int) and \
        not isinstance(value, bool) else value


def is_affordable(trace):
    return trace.point["flops"] <= AFFORDABLE["flops"] and \
        trace.elements <= AFFORDABLE["elements"]


class Import:
    def __init__(self, source, options):
        self.source = source
        self.device = options.device
        self.graphs = []
        self.notes = list(source.notes)
        self.points = []
        self.gradients = None
        if options.shrink:
            source.defaults, note = shrunk_defaults(source, self.device)
            self.notes += [note] if note else []
        for config in options.config:
            unknown = set(config) - set(source.defaults)
            if unknown:
                raise Refusal(f"--config names {', '.join(sorted(unknown))}, no parameter",
                              "it has " + ", ".join(source.defaults))
            append_config(source.configs["forward"], "multi", config)

    def trace(self, params, wants_backward=False, may_use_data=True):
        trace = trace_of(self.source, params, self.graphs, self.device, wants_backward,
                         may_use_data)
        check_memory(trace, self.device)
        return trace

    def add(self, trace):
        same = next((t for t in self.points if t.point["params"] == trace.point["params"]), None)
        if same is None:
            self.points.append(trace)
        elif "backward_arguments" in trace.point:
            same.point.update({k: v for k, v in trace.point.items() if k.startswith("backward_")})
            same.gradients = trace.gradients
        self.notes += [note for note in trace.notes if note not in self.notes]

    def run(self):
        listed = [self.trace(params) for params in listed_params(self.source, "forward")]
        self.learn_from(listed[0])
        shapes = self.shapes_of(listed, False)
        small, drawn = {"forward": shapes.small()}, {"forward": shapes.drawn()}
        every = listed + drawn["forward"] + small["forward"]
        if "backward" in self.source.configs:
            listed_too = [self.trace(params, True)
                          for params in listed_params(self.source, "backward")]
            shapes = self.shapes_of(listed_too, True)
            small["backward"], drawn["backward"] = shapes.small(), shapes.drawn()
            self.gradients = listed_too[0].gradients
            every += listed_too + drawn["backward"] + small["backward"]
        for trace in every:
            self.add(trace)
        self.measure(listed, small["forward"])
        return self.package(drawn, small)

    def shapes_of(self, listed, wants_backward):
        seed = int(hashlib.sha256(self.source.name.encode()).hexdigest()[:8], 16)
        return Shapes(lambda params: self.trace(params, wants_backward, False), self.is_sound,
                      listed, SECONDS_FOR_SHAPES, seed)

    def learn_from(self, listed):
        """Where the listed config itself errs much or is 0, so may others."""
        self.most_error, self.may_be_zero = MOST_ERROR, False
        if is_affordable(listed):
            errors = verify.float32_error(listed, self.graphs, self.device)
            listed.point["float32_error"] = errors
            self.most_error = max([MOST_ERROR, *(10.0 * e["error"] for e in errors
                                                 if e["error"] is not None)])
            self.may_be_zero = 0.0 in verify.sizes_of_outputs(listed, self.graphs)

    def is_sound(self, trace):
        """Whether float32 computes the point as typical data, measured where that is quick."""
        if trace.shortest_norm < LEAST_NORM:
            return False
        if trace.point["flops"] > QUICK["flops"] or trace.elements > QUICK["elements"]:
            return True
        try:
            errors = verify.float32_error(trace, self.graphs, self.device)
            found = [e["error"] for e in errors]
            if "backward_arguments" in trace.point:
                found.append(backward.measure(trace, self.graphs))
        except (Refusal, RuntimeError, IndexError, ValueError):
            return False
        trace.point["float32_error"] = errors
        if not self.may_be_zero and 0.0 in verify.sizes_of_outputs(trace, self.graphs):
            return False
        return all(error is not None and error <= self.most_error for error in found)

    def measure(self, listed, small):
        """Holds graphs to the module, and measures float32 where that is quick."""
        cheap = sorted((t for t in self.points if is_affordable(t)), key=lambda t: t.elements)
        least = min(self.points, key=lambda t: t.elements)
        chosen = [t for t in (listed[0], *small[:2]) if t in cheap] or cheap[-1:] or [least]
        for trace in chosen:
            for note in verify.check_against_module(self.source, trace.point["params"], trace,
                                                    self.graphs, self.device):
                if note not in self.notes:
                    self.notes.append(note)
        for trace in chosen:
            if "float32_error" not in trace.point:
                trace.point["float32_error"] = verify.float32_error(trace, self.graphs,
                                                                    self.device)
        for trace in self.points:
            if "backward_arguments" in trace.point and "grad_output" not in trace.point and \
                    is_affordable(trace):
                backward.measure(trace, self.graphs)
        self.probed = next((t for t in small if t in cheap and t.elements > 256), chosen[0])

    def package(self, drawn, small):
        source = self.source
        configs = {direction: dict(sets) for direction, sets in source.configs.items()}
        for direction, traces in small.items():
            if "small_shared_configs" not in configs[direction] and traces:
                set_configs(configs[direction], "small",
                            [changed(t.point["params"], source.defaults) for t in traces])
        package = {
            "format": "robust-kbench task", "version": VERSION, "name": source.name,
            "summary": source.summary, "kind": source.kind,
            "made_with": {"torch": torch.__version__, "python": platform.python_version(),
                          "importer": importer_hash()},
            "source": source.texts[0], "sources": source.texts[1:],
            "out_arguments": False, "defaults": source.defaults, "configs": configs,
            "points": [t.point for t in self.points],
            "drawn": {direction: [t.point["params"] for t in traces]
                      for direction, traces in drawn.items()},
            "graphs": self.graphs,
            "domain": probes.domain_of(self.probed, self.graphs), "notes": self.notes}
        if self.gradients is not None:
            package["backward"] = {"outputs": self.gradients}
        return without_unused_graphs(package)


def changed(params, defaults):
    return {name: value for name, value in params.items() if defaults[name] != value}


def set_configs(configs, name, shared):
    configs.update({f"{name}_input_configs": [{}], f"{name}_init_configs": [{}],
                    f"{name}_shared_configs": shared})


def append_config(configs, name, config):
    """A set is a product, so a config of its own can only be the whole of a set's last list."""
    lists = [configs.get(f"{name}_{part}_configs", [{}]) for part in PARTS]
    flat = [{**a, **b, **c} for a in lists[1] for b in lists[0] for c in lists[2]]
    set_configs(configs, name, [*flat, config])


def without_unused_graphs(package):
    """Sizes that were only tried have left theirs."""
    tensors = [t for p in package["points"] for t in p["inputs"] + p["weights"]]
    thens = [t["distribution"] for t in tensors if t["distribution"] and "then" in t["distribution"]]
    used = sorted({p["graph"] for p in package["points"]} | {d["then"] for d in thens})
    number = {old: new for new, old in enumerate(used)}
    for point in package["points"]:
        point["graph"] = number[point["graph"]]
    for distribution in thens:
        distribution["then"] = number[distribution["then"]]
    package["graphs"] = [package["graphs"][i] for i in used]
    return package


def task_name(text):
    """A lower-case C++ identifier."""
    name = re.sub(r"\W+", "_", text).lower().strip("_")
    name = re.sub(r"^[\d_]+", "", name) or "task_" + name
    return re.sub(r"_+", "_", name)


def write(package, directory):
    path = pathlib.Path(directory) / f"{package['name']}.task.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(package, separators=(",", ":"), allow_nan=False) + "\n")
    new.replace(path)
    return path
