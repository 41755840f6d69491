"""Counts the memory of a call that computes one operator after another."""

import math

from .recorder import refs_of


def unfused_bytes(recorder, nodes, inputs, outputs):
    """The most bytes that results of the nodes hold at a time, if each is freed after its last use.

    Views hold nothing. `inputs` and `outputs` are numbers of values. Outputs are not freed.
    """
    storage = lambda number: recorder.values[number].storage
    last_use = {storage(number): i for i, node in enumerate(nodes)
                for number in refs_of([node.args, node.kwargs]) + node.outputs}
    last_use.update({storage(number): len(nodes) for number in outputs})
    not_made_here = {storage(number) for number in inputs}
    held, most = {}, 0
    for i, node in enumerate(nodes):
        for number in node.outputs:
            value = recorder.values[number]
            if value.storage not in not_made_here:
                size = math.prod(value.shape) * value.dtype.itemsize
                held[value.storage] = max(size, held.get(value.storage, 0))
        most = max(most, sum(held.values()))
        held = {made: size for made, size in held.items() if last_use[made] > i}
    return most
