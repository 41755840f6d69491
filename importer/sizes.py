"""Finds the integer parameters of a source that are sizes, and the values that each takes."""

import dataclasses
import re

# Parameters with these names change the operator, not the amount of work. Kernels may have them as
# constants.
SEMANTIC = re.compile(r"kernel|stride|pad|dilat|group|head|layers(_\d+)?$|num_block|factor|ratio|scale|^k$|"
                      r"^p$|window|patch|expansion|reduction|level|seed")
MULTIPLES = (1, 2, 4, 8, 16, 32, 64)
LEASTS = (1, 2, 3, 5, 8, 13, 21, 32, 48, 64, 96, 128)


@dataclasses.dataclass
class Size:
    names: tuple  # of parameters that only change together
    listed: int
    multiple: int
    least: int


def shapes_of(trace):
    point = trace.point
    return [t["shape"] for t in point["inputs"] + point["weights"]]


def find_sizes(attempt, trace):
    """`attempt` gives a trace or None. A size changes the shape of an input or a weight."""
    params = trace.point["params"]
    candidates = [name for name, value in params.items() if type(value) is int and value > 0 and
                  not SEMANTIC.search(name.lower())]
    sizes = []
    alone = [size_of(attempt, trace, (name,)) for name in candidates]
    sizes += [size for size in alone if size is not None]
    fixed = [name for name, size in zip(candidates, alone) if size is None and params[name] > 1]
    for value in dict.fromkeys(params[name] for name in fixed):
        together = tuple(name for name in fixed if params[name] == value)
        size = size_of(attempt, trace, together) if len(together) > 1 else None
        sizes += [size] if size is not None else []
    return sizes


def size_of(attempt, trace, names):
    params = trace.point["params"]
    value = params[names[0]]
    changes = lambda other: (found := attempt({**params, **dict.fromkeys(names, other)})) \
        is not None and shapes_of(found) != shapes_of(trace)
    for multiple in MULTIPLES:
        if value % multiple and multiple > 1:
            continue
        steps = value // multiple
        odd = max(1, (steps // 2) | 1)
        if odd == steps:
            odd = steps + 2
        if changes(odd * multiple):
            least = next((m * multiple for m in LEASTS
                          if m * multiple < value and changes(m * multiple)), value)
            return Size(names, value, multiple, least)
    return None
