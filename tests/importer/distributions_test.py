"""Distributions of tensors, found from the operators that made them."""

import unittest

from importing import SOURCES  # noqa: F401  (loads CUDA's libraries before torch)
import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from importer import content
from importer.draws import Draws
from importer.encode import dtype_name
from importer.recorder import Recorder
from importer.refusal import Refusal


def drawn(make, is_weight=False, with_data=False):
    """The distribution of the tensor that `make` returns, with the package's graphs."""
    recorder, graphs = Recorder(), []
    if with_data:
        with torch.no_grad(), recorder.recording():
            tensor = make()
    else:
        with FakeTensorMode(), torch.no_grad(), recorder.recording():
            tensor = make()
    distribution = Draws(recorder, len(recorder.nodes), graphs).of(recorder.value(tensor), is_weight)
    spec = {"name": "t", "shape": list(tensor.shape), "dtype": dtype_name(tensor.dtype),
            "distribution": distribution}
    made = content.tensor_of(spec, graphs, torch.Generator().manual_seed(0))
    return distribution, made


def conv_weight():
    return torch.nn.Conv2d(3, 4, 5).weight


def normal_weight():
    layer = torch.nn.Linear(4, 3)
    layer.weight.data.normal_(mean=1.0, std=0.25)
    return torch.nn.Parameter(layer.weight.data.clone())


def parameter_with_other_data():
    weight = torch.nn.Parameter(torch.zeros(4, 3))
    weight.data.normal_(std=0.5)
    return weight


def symmetric():
    a = torch.rand(6, 6)
    return (a + a.T) / 2


def padded_embedding():
    return torch.nn.Embedding(10, 4, padding_idx=0).weight


class DistributionsTest(unittest.TestCase):
    def check(self, make, expected, **options):
        distribution, made = drawn(make, **options)
        self.assertEqual(set(distribution), set(expected))
        for key, value in expected.items():
            if isinstance(value, float):
                self.assertAlmostEqual(distribution[key], value, places=6)
            else:
                self.assertEqual(distribution[key], value)
        return made

    def test_draws(self):
        self.check(lambda: torch.rand(4), {"kind": "uniform", "a": 0.0, "b": 1.0})
        self.check(lambda: torch.randn(4, 4), {"kind": "normal", "a": 0.0, "b": 1.0})
        self.check(lambda: torch.randint(3, 9, (4,)), {"kind": "integers", "a": 3, "b": 9})

    def test_affine_steps(self):
        self.check(lambda: torch.rand(4) * 2 - 1, {"kind": "uniform", "a": -1.0, "b": 1.0})
        self.check(lambda: 3 - torch.randn(4, 2).T / 4, {"kind": "normal", "a": 3.0, "b": 0.25})

    def test_a_random_factor_counts_by_its_mean(self):
        self.check(lambda: torch.rand(4) * torch.rand(()), {"kind": "uniform", "a": 0.0, "b": 0.5})

    def test_initializations(self):
        bound = 75 ** -0.5
        self.check(conv_weight, {"kind": "uniform", "a": -bound, "b": bound}, is_weight=True)
        self.check(parameter_with_other_data, {"kind": "normal", "a": 0.0, "b": 0.5},
                   is_weight=True)
        self.check(normal_weight, {"kind": "normal", "a": 1.0, "b": 0.25}, is_weight=True)

    def test_constants(self):
        self.check(lambda: torch.ones(4), {"kind": "constant", "a": 1.0, "spread": 0.5},
                   is_weight=True)
        self.check(lambda: torch.zeros(4), {"kind": "constant", "a": 0.0, "spread": 0.0})
        self.check(lambda: torch.full((4,), 1e-6), {"kind": "constant", "a": 1e-6, "spread": 5e-7},
                   is_weight=True)

    def test_a_constant_and_noise(self):
        self.check(lambda: torch.ones(4) + torch.randn(4) * 0.02,
                   {"kind": "normal", "a": 1.0, "b": 0.02}, is_weight=True)

    def test_computed_inputs(self):
        made = self.check(lambda: torch.tril(torch.randn(5, 5)),
                          {"kind": "normal", "a": 0.0, "b": 1.0, "then": 0})
        self.assertTrue(torch.equal(made, made.tril()))
        made = self.check(symmetric, {"kind": "uniform", "a": 0.0, "b": 1.0, "then": 0})
        self.assertTrue(torch.equal(made, made.T))
        made = self.check(lambda: torch.randn(3, 7).softmax(-1),
                          {"kind": "normal", "a": 0.0, "b": 1.0, "then": 0})
        torch.testing.assert_close(made.sum(-1), torch.ones(3))
        made = self.check(lambda: torch.randint(0, 2, (50,)).float() * 2 - 1,
                          {"kind": "integers", "a": 0, "b": 2, "then": 0})
        self.assertEqual(set(made.tolist()), {-1.0, 1.0})
        made = self.check(lambda: torch.rand(30) > 0.5,
                          {"kind": "uniform", "a": 0.0, "b": 1.0, "then": 0})
        self.assertEqual(made.dtype, torch.bool)

    def test_computed_of_a_draw_of_another_shape_and_dtype(self):
        made = self.check(lambda: torch.diag(torch.rand(4)),
                          {"kind": "uniform", "a": 0.0, "b": 1.0, "then": 0})
        self.assertTrue(torch.equal(made, torch.diag(made.diagonal())))
        made = self.check(lambda: torch.rand(3, 4, dtype=torch.float64).cumsum(1),
                          {"kind": "uniform", "a": 0.0, "b": 1.0, "then": 0})
        self.assertEqual(made.dtype, torch.float64)

    def test_permutation(self):
        made = self.check(lambda: torch.randperm(12),
                          {"kind": "uniform", "a": 0.0, "b": 1.0, "then": 0})
        self.assertEqual(sorted(made.tolist()), list(range(12)))

    def test_tables(self):
        made = self.check(lambda: torch.arange(6).float().sin(),
                          {"kind": "constant", "a": 0.0, "spread": 0.0, "then": 0}, is_weight=True)
        torch.testing.assert_close(made, torch.arange(6).float().sin())

    def test_a_row_that_is_overwritten(self):
        made = self.check(padded_embedding, {"kind": "normal", "a": 0.0, "b": 1.0, "then": 0},
                          is_weight=True)
        self.assertEqual(made[0].abs().sum().item(), 0.0)
        self.assertGreater(made[1].abs().sum().item(), 0.0)

    def test_fitted_by_values(self):
        distribution, _ = drawn(lambda: (torch.randn(4096) / torch.full((4096,), 2.0).sqrt()
                                         + torch.randn(4096).neg().exp() * 1e-3), with_data=True)
        self.assertEqual(distribution["kind"], "normal")

    def test_data_of_another_kind_is_refused(self):
        with self.assertRaisesRegex(Refusal, "sorted"):
            drawn(lambda: (torch.rand(64) * torch.rand(64)).sort()[0], with_data=True)
