"""The whole import of one source."""

import hashlib
import json
import pathlib
import time

from . import backward, verify
from .configs import (append_config, changed, keep_only, list_in_full, listed_params,
                      set_configs)
from .memory import TooLarge, check_memory
from .refusal import Refusal
from .shapes import Shapes
from .shrink import shrunk_defaults
from .trace import trace_of

VERSION = 1
# Most work of a call that is measured at import in each precision: 0.1 s on a CPU.
AFFORDABLE = {"flops": 2e9, "elements": 2e7}
# One call in float64 takes some seconds on a CPU.
MOST_FLOPS = 2e10
QUICK = {"flops": 1e8, "elements": 1e6}
# A greater error means that equal terms cancelled, and no limit of precision would hold.
MOST_ERROR = 1e-4
# Moments of fewer terms cause such errors, too.
LEAST_NORM = 8
# Limits of the search for other sizes: tries and seconds.
TRIES = 60
SECONDS_FOR_SHAPES = (8.0, 60.0)


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
        self.shrink = options.shrink
        self.out_arguments = options.out_arguments
        if options.shrink and source.kind != "robust-kbench":
            source.defaults, note = shrunk_defaults(source, self.device)
            self.notes += [note] if note else []
        for config in options.config:
            unknown = set(config) - set(source.defaults)
            if unknown:
                raise Refusal(f"--config names {', '.join(sorted(unknown))}, no parameter",
                              "it has " + ", ".join(source.defaults))
            append_config(source.configs["forward"], "multi", config)

    def trace(self, params, may_use_data=True):
        """Traces a point for both directions, since configs of either may be drawn for both."""
        trace = trace_of(self.source, params, self.graphs, self.device,
                         "backward" in self.source.configs, may_use_data)
        check_memory(trace, self.device)
        return trace

    def listed(self, direction):
        """Traces of the listed configs. With --shrink, configs of a folder that do not fit are left
        out."""
        traces, too_large = [], None
        for params in listed_params(self.source, direction):
            try:
                traces.append(self.trace(params))
            except TooLarge as refusal:
                if not self.shrink or self.source.kind != "robust-kbench":
                    raise
                too_large = refusal
        if too_large is not None:
            if not traces:
                raise Refusal(too_large.reason, "import it on a machine with more memory")
            keep_only(self.source, direction, [t.point["params"] for t in traces])
            self.notes.append(f"Only {len(traces)} {direction} configs fit the machine.")
        return traces

    def of_defaults(self, listed):
        """The point of the defaults. If the module refuses them, a listed config gives the
        defaults."""
        source = self.source
        try:
            return [self.trace(source.defaults, may_use_data=False)]
        except Refusal:
            list_in_full(source)
            source.defaults = dict(listed.point["params"])
            return []

    def given_small(self, direction):
        return [self.trace(params)
                for params in listed_params(self.source, direction, ("small",))]

    def add(self, trace):
        if all(t.point["params"] != trace.point["params"] for t in self.points):
            self.points.append(trace)
        self.notes += [note for note in trace.notes if note not in self.notes]

    def run(self):
        listed = self.listed("forward")
        self.learn_from(listed[0])
        shapes = self.shapes_of(listed)
        small = {"forward": self.given_small("forward") or shapes.small()}
        drawn = {"forward": shapes.drawn()}
        large = {"forward": shapes.large()}
        every = listed + drawn["forward"] + large["forward"] + small["forward"]
        if "backward" in self.source.configs:
            listed_too = self.listed("backward")
            shapes = self.shapes_of(listed_too)
            small["backward"] = self.given_small("backward") or shapes.small()
            drawn["backward"] = shapes.drawn()
            large["backward"] = shapes.large()
            self.gradients = listed_too[0].gradients
            every += listed_too + drawn["backward"] + large["backward"] + small["backward"]
        every += self.of_defaults(listed[0])
        for trace in every:
            self.add(trace)
        self.measure(listed, small["forward"])
        return self.package({"drawn": drawn, "large": large}, small)

    def shapes_of(self, listed):
        seed = int(hashlib.sha256(self.source.name.encode()).hexdigest()[:8], 16)
        began = time.process_time()
        self.trace(listed[0].point["params"], may_use_data=False)
        seconds = sorted((*SECONDS_FOR_SHAPES, TRIES * (time.process_time() - began)))[1]
        return Shapes(lambda params: self.trace(params, may_use_data=False), self.is_sound,
                      listed, seconds, seed)

    def learn_from(self, listed):
        """Measures the listed config. If it errs much or is 0, other configs may do so, too."""
        self.most_error, self.may_be_zero = MOST_ERROR, False
        if is_affordable(listed):
            errors = verify.float32_error(listed, self.graphs, self.device)
            listed.point["float32_error"] = errors
            self.most_error = max([MOST_ERROR, *(10.0 * e["error"] for e in errors
                                                 if e["error"] is not None)])
            sizes = verify.sizes_of_outputs(listed, self.graphs, self.device)
            self.may_be_zero = 0.0 in sizes

    def is_sound(self, trace):
        """Whether float32 is accurate on the point's typical data, if that is quick to measure."""
        if trace.shortest_norm < LEAST_NORM:
            return False
        if trace.point["flops"] > QUICK["flops"] or trace.elements > QUICK["elements"]:
            return True
        try:
            errors = verify.float32_error(trace, self.graphs, self.device)
            found = [e["error"] for e in errors]
            if "backward_arguments" in trace.point:
                found.append(backward.measure(trace, self.graphs, self.device))
        except (Refusal, RuntimeError, IndexError, ValueError):
            return False
        trace.point["float32_error"] = errors
        sizes = verify.sizes_of_outputs(trace, self.graphs, self.device)
        if 0.0 in sizes and not self.may_be_zero:
            return False
        return all(error is not None and error <= self.most_error for error in found)

    def measure(self, listed, small):
        """Compares graphs with the module, and measures float32 where that is quick."""
        cheap = sorted((t for t in self.points if is_affordable(t)), key=lambda t: t.elements)
        least = min(self.points, key=lambda t: t.elements)
        chosen = [t for t in (listed[0], *small[:2]) if t in cheap] or cheap[-1:] or [least]
        for trace in chosen:
            if trace.point["flops"] > MOST_FLOPS:
                self.notes.append("The graph was not compared with the module: the cheapest config "
                                  f"takes {trace.point['flops']:.0e} floating-point operations.")
                continue
            for note in verify.check_against_module(self.source, trace.point["params"], trace,
                                                    self.graphs, self.device):
                if note not in self.notes:
                    self.notes.append(note)
        for trace in chosen:
            if "float32_error" not in trace.point and trace.point["flops"] <= MOST_FLOPS:
                trace.point["float32_error"] = verify.float32_error(trace, self.graphs,
                                                                    self.device)
        for trace in self.points:
            if "backward_arguments" in trace.point and "grad_output" not in trace.point and \
                    is_affordable(trace):
                backward.measure(trace, self.graphs, self.device)

    def package(self, beside_listed, small):
        source = self.source
        configs = {direction: dict(sets) for direction, sets in source.configs.items()}
        for direction, traces in small.items():
            if "small_shared_configs" not in configs[direction] and traces:
                set_configs(configs[direction], "small",
                            [changed(t.point["params"], source.defaults) for t in traces])
        package = {
            "format": "robust-kbench task", "version": VERSION, "name": source.name,
            "summary": source.summary, "kind": source.kind,
            "source": source.texts[0], "sources": source.texts[1:],
            "out_arguments": source.out_arguments or self.out_arguments,
            "defaults": source.defaults, "configs": configs,
            "points": [t.point for t in self.points],
            **{kind: {direction: [t.point["params"] for t in traces]
                      for direction, traces in of_kind.items()}
               for kind, of_kind in beside_listed.items()},
            "graphs": self.graphs, "notes": self.notes}
        if self.gradients is not None:
            package["backward"] = {"outputs": self.gradients}
        return without_unused_graphs(package)


def without_unused_graphs(package):
    """The package without the graphs of sizes that were only tried."""
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


def write(package, directory):
    path = pathlib.Path(directory) / f"{package['name']}.task.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    new = path.with_suffix(".new")
    new.write_text(json.dumps(package, separators=(",", ":"), allow_nan=False) + "\n")
    new.replace(path)
    return path
