"""Configs beside the listed ones: those that evaluations draw, large ones, and small ones for CPUs."""

import random
import time

from .refusal import Refusal
from .sizes import find_sizes

WANTED_DRAWN = 16
WANTED_SMALL = 7
SMALL = {"flops": 3e7, "elements": 2e5}
# Large configs have these shares of the largest listed one's elements. A CPU needs the small shares.
LARGE_SHARES = (1.0, 0.25, 0.06, 0.015, 0.004)
WANTED_LARGE = 2  # of each share
SHORT_SIZE = 16  # sizes up to it change by one
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
    value = generator.randint(low, high)
    kind = generator.random()
    value |= kind < 0.75
    if kind < 0.4:
        while value > 2 and not is_prime(value):
            value -= 1
    return max(low, min(high, value))


class Shapes:
    """Tries other sizes of a source by tracing, as long as the time allows."""

    def __init__(self, try_params, is_sound, listed, seconds, seed):
        """`try_params` gives a trace, or raises Refusal."""
        self.try_params = try_params
        self.is_sound = is_sound
        self.listed = listed  # traces
        self.until = time.process_time() + seconds
        self.random = random.Random(seed)
        self.known = [t.point["params"] for t in listed]
        self.tried = {}
        self.sizes = find_sizes(self.attempt, listed[0])

    def attempt(self, params):
        """A trace, or None where the module does not take the sizes, or no time is left."""
        key = tuple(sorted(params.items()))
        if key not in self.tried and self.has_time():
            try:
                self.tried[key] = self.try_params(params)
            except Refusal:
                self.tried[key] = None
        return self.tried.get(key)

    def has_time(self):
        return time.process_time() < self.until

    def value(self, size, most_factor, past_block, in_upper_half):
        """A value of a size: the least, an odd, a prime, one past a block, or any."""
        steps_high = max(1, int(size.listed * most_factor) // size.multiple)
        low = min(size.least // size.multiple, steps_high) or 1
        choice = self.random.random()
        blocks = [b + 1 for b in BLOCKS if low <= b + 1 <= steps_high]
        if past_block and blocks:
            steps = self.random.choice(blocks)
        elif choice < (0.1 if in_upper_half else 0.3):
            steps = low
        elif choice < 0.4 and blocks and not in_upper_half:
            steps = self.random.choice(blocks)
        else:
            # Each magnitude is equally likely.
            part = self.random.uniform(0.5, 1.0) if in_upper_half else self.random.random()
            top = max(low, round(low * (steps_high / low) ** part))
            steps = is_odd_or_prime(self.random, low, max(low, top))
        return steps * size.multiple

    def candidates(self, factor_of):
        """Yields configs without end. The first sizes are one past a block, then the least, then
        any."""
        for number in range(100000):
            base = dict(self.random.choice(self.known[:len(self.listed)]))
            special = self.random.choice(self.sizes)
            for size in self.sizes:
                value = self.value(size, factor_of(size, number),
                                   size is special and number % 3 == 0, number % 2 == 0)
                if size is special and number % 3 == 2:
                    value = size.least
                base.update(dict.fromkeys(size.names, value))
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
            if elements <= most_elements and flops <= most_flops and self.is_sound(trace):
                self.known.append(params)
                found.append(trace)
        return found

    def drawn(self):
        costs = [cost_of(t) for t in self.listed]
        middle = (len(costs) - 1) // 2
        elements = sorted(c[0] for c in costs)[middle]
        flops = sorted(c[1] for c in costs)[middle]
        return self.found(WANTED_DRAWN, elements, flops, lambda size, number: 2.0, 150)

    def near(self, size, value):
        """An odd or prime value at most an eighth below, or one more or less than a short one."""
        steps = value // size.multiple
        if steps <= SHORT_SIZE:
            return max(size.least, (steps + self.random.choice((-1, 1))) * size.multiple)
        low = max(size.least // size.multiple, steps * 7 // 8)
        return ((is_odd_or_prime(self.random, low, steps - 1) - 1) | 1) * size.multiple

    def shortened(self, params, elements):
        """The sizes with some halved, each odd or prime, until there are no more elements."""
        for _ in range(64):
            trace = self.attempt(params)
            if trace is None or cost_of(trace)[0] <= elements:
                return trace
            size = self.random.choice(self.sizes)
            value = params[size.names[0]]
            steps = max(1, value // (2 * size.multiple))
            if steps * size.multiple >= size.least:
                half = (is_odd_or_prime(self.random, max(1, steps * 7 // 8), steps) - 1) | 1
                params = {**params, **dict.fromkeys(size.names, half * size.multiple)}
        return None

    def large(self):
        """Configs near the largest listed one: beside it in each size, and shortened for CPUs."""
        largest = max(self.listed, key=lambda t: cost_of(t)[0])
        most = cost_of(largest)[0]
        found = []
        for share in LARGE_SHARES if self.sizes else ():
            wanted = len(found) + WANTED_LARGE
            for _ in range(8):
                if len(found) == wanted or not self.has_time():
                    break
                params = dict(largest.point["params"])
                for size in self.sizes:
                    params.update(dict.fromkeys(size.names,
                                                self.near(size, params[size.names[0]])))
                trace = self.shortened(params, share * most)
                if trace and trace.point["params"] not in self.known and self.is_sound(trace):
                    self.known.append(trace.point["params"])
                    found.append(trace)
        return found

    def small(self):
        """Configs with batch 1 and odd sizes, cheap enough for a CPU, or else the cheapest that
        were found."""
        traces = []
        cheapest = None
        params = self.listed[0].point["params"]
        for size in self.sizes:  # not all may be least at once
            trace = self.attempt({**params, **dict.fromkeys(size.names, size.least)})
            if trace is not None and self.is_sound(trace):
                cheapest, params = trace, trace.point["params"]
        for level in (1.0, 30.0, 1000.0):
            most = {name: level * limit for name, limit in SMALL.items()}
            if cheapest is not None and (cost_of(cheapest)[0] > most["elements"] or
                                         cost_of(cheapest)[1] > most["flops"]):
                continue
            elements = min(cost_of(t)[0] for t in self.listed)
            flops = min(cost_of(t)[1] for t in self.listed)
            share = min(1.0, most["elements"] / max(elements, 1), most["flops"] / max(flops, 1))
            shrink = share ** (1 / max(1, len(self.sizes)))
            factor_of = lambda size, number: max(min(1.0, 3.0 * shrink) / (1 + number % 4 // 2),
                                                 size.least / size.listed)
            traces += self.found(WANTED_SMALL - len(traces), most["elements"], most["flops"],
                                 factor_of, 60)
            if len(traces) >= 3:
                break
        if not traces and cheapest is not None:
            self.known.append(cheapest.point["params"])
            return [cheapest]
        return sorted(traces, key=cost_of)
