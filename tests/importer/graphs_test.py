"""Graphs from recordings, and their results."""

import json
import unittest

from importing import SOURCES  # noqa: F401  (loads CUDA's libraries before torch)
import torch

from importer.evaluate import run
from importer.graph import GraphMaker, live_nodes
from importer.recorder import Recorder
from importer.refusal import Refusal


def graph_of(function, *inputs):
    """The graph of the function, as a package would hold it."""
    recorder = Recorder()
    with torch.no_grad(), recorder.recording():
        values = [recorder.value(tensor) for tensor in inputs]
        result = function(*inputs)
    outputs = [recorder.value(t) for t in (result if isinstance(result, tuple) else (result,))]
    nodes = [recorder.nodes[i] for i in live_nodes(recorder, 0, set(values), outputs)]
    maker = GraphMaker(recorder, values, recorder.data_of)
    names = [f"input_{i}" for i in range(len(inputs))]
    return json.loads(json.dumps(maker.make(nodes, outputs, names), allow_nan=False))


def operators(graph):
    return [node["op"] for node in graph["nodes"]]


class GraphsTest(unittest.TestCase):
    def check(self, function, *inputs):
        """Checks that the graph gives the function's result for other content, twice."""
        graph = graph_of(function, *(i.clone() for i in inputs))
        for _ in range(2):
            other = [torch.randn_like(i) if i.is_floating_point() else i.clone() for i in inputs]
            expected = function(*(i.clone() for i in other))
            expected = list(expected) if isinstance(expected, tuple) else [expected]
            for actual, wanted in zip(run(graph, other), expected):
                self.assertTrue(torch.equal(actual, wanted))
        return graph

    def test_composite_operators_stay_whole(self):
        graph = self.check(lambda x: torch.nn.functional.scaled_dot_product_attention(x, x, x),
                           torch.randn(2, 3, 4))
        self.assertEqual(operators(graph), ["aten::scaled_dot_product_attention"])

    def test_sizes_are_numbers(self):
        graph = self.check(lambda x: x.view(x.shape[0] // 2, -1) / x.shape[1], torch.randn(4, 6))
        self.assertEqual(graph["nodes"][0]["args"], [{"t": 0}, [2, -1]])
        self.assertEqual(graph["nodes"][1]["args"], [{"t": 1}, 6])

    def test_numbers_in_the_place_of_tensors(self):
        graph = self.check(lambda x: torch.div(x * 0.1 + 2, 3, rounding_mode="floor") // 2,
                           torch.randn(4))
        self.assertEqual(operators(graph), ["aten::mul.Scalar", "aten::add.Scalar",
                                            "aten::div.Scalar_mode", "aten::floor_divide.Scalar"])

    def test_dead_nodes_are_left_out(self):
        def function(x):
            torch.exp(x).sum()
            return x + 1

        self.assertEqual(operators(self.check(function, torch.randn(3))), ["aten::add.Scalar"])

    def test_changes_of_a_view_of_an_intermediate(self):
        def function(x):
            y = x * 2
            y[0].fill_(7.0)
            y.narrow(0, 1, 2).relu_()
            return y

        self.check(function, torch.randn(4, 3))

    def test_changes_after_the_last_read_are_dead(self):
        def function(x):
            y = x * 2
            z = y + 1
            y.zero_()
            return z

        self.assertEqual(len(self.check(function, torch.randn(4))["nodes"]), 2)

    def test_constants(self):
        graph = self.check(lambda x: x * torch.tensor([1.0, float("inf"), -0.5]), torch.randn(3))
        self.assertEqual(graph["constants"][0]["data"], "AACAPwAAgH8AAAC/")
        self.assertEqual(operators(graph), ["aten::mul.Tensor"])

    def test_a_changed_constant_is_copied_in_each_call(self):
        def function(x):
            total = torch.tensor(0.0)
            total += x.sum()
            return total

        self.assertEqual(operators(self.check(function, torch.randn(3)))[0], "aten::clone")

    def test_special_numbers_and_dtypes(self):
        graph = self.check(lambda x: x.masked_fill(x > 0, float("-inf")).to(torch.float16),
                           torch.randn(5))
        self.assertIn({"float": "-inf"}, graph["nodes"][1]["args"])
        self.assertIn({"dtype": "float16"}, graph["nodes"][2]["args"])

    def test_an_operator_that_returns_its_argument_makes_no_tensor(self):
        self.check(lambda x: x.float().contiguous() * x.type_as(x), torch.randn(4))

    def test_several_outputs_of_one_operator(self):
        graph = self.check(lambda x: (torch.max(x, 1)[1], x.chunk(3, 1)[2]), torch.randn(4, 6))
        self.assertEqual([node["outputs"] for node in graph["nodes"]], [2, 3])

    def test_the_reference_is_float64_throughout(self):
        graph = graph_of(lambda x: x.to(torch.float32) + torch.ones(3) / 3.0, torch.randn(3))
        x = torch.randn(3)
        result, = run(graph, [x], in_float64=True)
        self.assertTrue(torch.equal(result, x.double() + torch.ones(3).double() / 3.0))

    def test_large_constants_are_refused(self):
        large = torch.ones(5 << 20)
        with self.assertRaisesRegex(Refusal, "constants of 20 MiB"):
            graph_of(lambda x: x + large, torch.randn(5 << 20))
