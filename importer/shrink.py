"""Smaller shapes where a machine's memory does not suffice."""

from .memory import limit_of, need_of
from .refusal import Refusal
from .sizes import SEMANTIC
from .trace import trace_of

# The share of the limit for a config, since intermediate results need memory, too.
SHARE = 0.25


def shrunk_defaults(source, device):
    """Halves the largest sizes until the config fits. Returns the defaults, and a note."""
    params, limit = dict(source.defaults), limit_of(device)
    refused = set()
    trace = trace_of(source, params, [], device)
    if need_of(trace) > limit:
        limit *= SHARE
    while need_of(trace) > limit:
        names = [n for n, v in params.items() if type(v) is int and v > 1 and n not in refused and
                 not SEMANTIC.search(n.lower())]
        if not names:
            raise Refusal("no smaller shape was found that this machine can hold",
                          "import it on a machine with more memory")
        largest = max(names, key=lambda n: (n == "batch_size" and params[n] > 16, params[n]))
        other = {**params, largest: params[largest] // 2}
        try:
            smaller = trace_of(source, other, [], device)
        except Refusal:
            refused.add(largest)
            continue
        if smaller.elements >= trace.elements:
            refused.add(largest)
            continue
        params, trace = other, smaller
    changes = [f"{n} = {v}" for n, v in params.items() if v != source.defaults[n]]
    return params, f"Shrunk to fit the machine: {', '.join(changes)}." if changes else None
