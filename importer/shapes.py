"""Configs beside the listed ones: those that evaluations draw, and small ones for CPUs."""

import random
import re
import time

from .refusal import Refusal
from .sizes import find_sizes

WANTED_DRAWN = 16
WANTED_SMALL = 7
SMALL = {"flops": 3e7, "elements": 2e5}
BLOCKS = (8, 16, 32, 64, 128, 256, 512, 1024)


def cost_of(trace):
    point = trace.point
    tensors = point["inputs"] + point["weights"]
    return sum(product(t["shape"]) for t in tensors if t["distribution"]), point["flops"]


def product(shape):
    result = 1
    for size in shape:
        result *= size
    return result


def is_prime(n):
    return n > 1 and all(n % d for d in range(2, int(n ** 0.5) + 1))


def is_odd_or_prime(generator, low, high):
    value = generator.randint(low, high) | 1
    if generator.random() < 0.5:
        while value > 2 and not is_prime(value):
            value -= 1
    return max(low, min(high, value))


class Shapes:
    """Tries other sizes of a source by tracing, as long as the time allows."""

    def __init__(self, try_params, listed, seconds, seed):
        """`try_params` gives a trace, or raises Refusal."""
        self.try_params = try_params
        self.listed = listed  # traces
        self.until = time.monotonic() + seconds
        self.random = random.Random(seed)
        self.known = [t.point["params"] for t in listed]
        self.sizes = find_sizes(self.attempt, listed[0])

    def attempt(self, params):
        """A trace, or None where the module does not take the sizes."""
        try:
            return self.try_params(params)
        except Refusal:
            return None

    def has_time(self):
        return time.monotonic() < self.until

    def value(self, size, most_factor, past_block):
        """A value of a size: least, odd, prime, one past a block, or anything."""
        steps_high = max(1, int(size.listed * most_factor) // size.multiple)
        low = min(size.least // size.multiple, steps_high) or 1
        choice = self.random.random()
        blocks = [b + 1 for b in BLOCKS if low <= b + 1 <= steps_high]
        if past_block and blocks:
            steps = self.random.choice(blocks)
        elif choice < 0.2:
            steps = low
        elif choice < 0.4 and blocks:
            steps = self.random.choice(blocks)
        else:
            # Every magnitude is as likely as the next.
            top = max(low, round(low * (steps_high / low) ** self.random.random()))
            steps = is_odd_or_prime(self.random, low, max(low, top))
        return steps * size.multiple

    def candidates(self, factor_of):
        """Endless configs. The first sizes are one past a block, then least, then anything."""
        for number in range(100000):
            base = dict(self.random.choice(self.known[:len(self.listed)]))
            special = self.random.choice(self.sizes)
            for size in self.sizes:
                base[size.name] = self.value(size, factor_of(size, number),
                                             size is special and number % 3 == 0)
            if number % 3 == 2:
                base[special.name] = special.least
            yield base

    def found(self, wanted, most_elements, most_flops, factor_of, tries):
        found = []
        if not self.sizes:
            return found
        for number, params in enumerate(self.candidates(factor_of)):
            if len(found) >= wanted or number >= tries or not self.has_time():
                return found
            if params in self.known:
                continue
            trace = self.attempt(params)
            if trace is None:
                continue
            elements, flops = cost_of(trace)
            if elements <= most_elements and flops <= most_flops:
                self.known.append(params)
                found.append(trace)
        return found

    def drawn(self):
        costs = [cost_of(t) for t in self.listed]
        middle = (len(costs) - 1) // 2
        elements = sorted(c[0] for c in costs)[middle]
        flops = sorted(c[1] for c in costs)[middle]
        return self.found(WANTED_DRAWN, elements, flops, lambda size, number: 2.0, 150)

    def small(self):
        """Batch 1 and odd sizes, cheap enough for a CPU; the cheapest known where none is."""
        elements = sorted(cost_of(t)[0] for t in self.listed)[0]
        shrink = min(1.0, (SMALL["elements"] / max(elements, 1)) ** (1 / max(1, len(self.sizes))))
        found = self.found(WANTED_SMALL, SMALL["elements"], SMALL["flops"],
                           lambda size, number: max(shrink * 1.5 / (1 + number % 4),
                                                    size.least / size.listed), 120)
        if self.sizes:
            least = {**self.listed[0].point["params"], **{s.name: s.least for s in self.sizes}}
            trace = self.attempt(least) if least not in self.known else None
            if trace is not None:
                self.known.append(least)
                found.insert(0, trace)
        return found[:WANTED_SMALL + 1]
