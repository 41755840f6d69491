"""Replaces the extensions of a solution while its forward runs without data.

The results of their functions are guessed, and each combination of guesses is tried.
"""

import dataclasses

import torch

from .recorder import Ref, map_tensors, refs_of
from .refusal import Refusal
from .solution_plan import KernelNode


class FakeModule:
    """Replaces the module that load_inline would return."""

    def __init__(self, extension, session):
        self.__dict__.update(_extension=extension, _session=session)

    def __getattr__(self, name):
        functions = self._extension.functions
        if name not in functions:
            raise AttributeError(f"the extension {self._extension.name} has no function {name}, "
                                 f"but {', '.join(functions)}")
        return lambda *args, **kwargs: self._session.kernel(functions[name], args, kwargs)


@dataclasses.dataclass
class Guess:
    """Possible results of the function that is called next: (origin, shape, dtype)."""
    function: str
    options: list
    chosen: int = 0

    @property
    def choice(self):
        return self.options[self.chosen]


def without_repetitions(options):
    """The first option of each shape and dtype."""
    first = {}
    for option in options:
        first.setdefault(option[1:], option)
    return list(first.values())


class Session:
    """One point: the problem, the solution's constructor, and its forward as often as needed."""

    def __init__(self, recorder):
        self.recorder = recorder
        self.extensions = []
        self.guesses = []
        self.next_guess = 0
        self.expected = []  # options: results of the whole forward
        self.made = []  # options: results of the problem's own operators, in their order
        self.layers = lambda tensors: []  # numbers of those that read the same weights
        self.hints = []  # origins to begin with, of each guess in turn
        self.running = False

    def build(self, extension):
        self.extensions.append(extension)
        return FakeModule(extension, self)

    def kernel(self, function, args, kwargs):
        if kwargs:
            raise TypeError(f"{function.name}() takes no keyword arguments")
        if not self.running:
            raise Refusal(f"the constructor calls {function.name}()", "call it in forward")
        tensors = []
        map_tensors(args, torch.Tensor, tensors.append)
        as_ref = lambda tensor: Ref(self.recorder.value(tensor))
        node = KernelNode(None, map_tensors(tuple(args), torch.Tensor, as_ref), {}, [], [],
                          function=function.name)
        begin = len(self.recorder.nodes)
        results = []
        for _ in range(function.results):
            shape, dtype = self.guessed(function.name, tensors)
            results.append(torch.empty(shape, dtype=dtype))
        del self.recorder.nodes[begin:]
        node.outputs = [self.recorder.value(result) for result in results]
        if not results:
            node.writes = refs_of(node.args)
        for value in node.outputs:
            self.recorder.values[value].node = begin
        self.recorder.nodes.append(node)
        if not results:
            return None
        return results if "vector<" in function.returns else \
            tuple(results) if "tuple<" in function.returns else results[0]

    def guessed(self, function, tensors):
        if self.next_guess == len(self.guesses):
            self.guesses.append(Guess(function, self.options(function, tensors)))
        self.next_guess += 1
        return self.guesses[self.next_guess - 1].choice[1:]

    def options(self, function, tensors):
        """Options for a result, the likely ones first.

        They begin with those that were right elsewhere. Then come the results of the problem's
        layer with these weights, and of the following layers. The last are the result of the whole,
        and that of an elementwise function.
        """
        dtype = next((t.dtype for t in tensors if t.is_floating_point()), torch.float32)
        own = [(("argument", i, j), shape, dtype) for i, tensor in enumerate(tensors)
               for j, shape in enumerate(likely_shapes(tuple(tensor.shape)))]
        before = [g.choice[0][1] for g in self.guesses if g.choice[0][0] == "made"]
        layers = self.layers(tensors)
        following = max(layers, default=max(before, default=-1) + 1)
        after = [option for option in self.made if option[0][1] >= following]
        kinds = [g.choice[0][0] for g in self.guesses if g.function == function][-1:]
        first = after + self.expected + own[:1] if layers else self.expected + own[:1] + after
        every = first + self.made + own[1:]
        every.sort(key=lambda option: option[0][0] not in kinds)  # as the function returned before
        number = len(self.guesses)
        if number < len(self.hints):
            every = [option for option in every if option[0] == self.hints[number]] + every
        return without_repetitions(every)

    def begin(self, hints):
        """Forgets all guesses. The next ones begin with these origins."""
        self.guesses, self.hints = [], hints

    @property
    def origins(self):
        return [guess.choice[0] for guess in self.guesses]

    def advance(self):
        """Goes to the next combination of guesses. False where all were tried."""
        while self.guesses:
            self.guesses[-1].chosen += 1
            if self.guesses[-1].chosen < len(self.guesses[-1].options):
                return True
            self.guesses.pop()
        return False


def likely_shapes(shape):
    """Shapes that a function may return which takes a tensor of the shape."""
    yield shape
    if len(shape) > 1:
        count = 1
        for size in shape:
            count *= size
        yield (count,)
    for i in range(1, len(shape)):
        yield shape[:i]
    yield ()
    yield (1,)
