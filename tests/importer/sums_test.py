"""Longest sums and FLOPs, from the operators that run."""

import unittest

from importing import SOURCES  # noqa: F401  (loads CUDA's libraries before torch)
import torch
import torch.nn.functional as F
from torch._subclasses.fake_tensor import FakeTensorMode

from importer.sums import Costs


def forward(function, *shapes):
    """The longest sum of the result, and FLOPs."""
    with FakeTensorMode(), torch.no_grad():
        inputs = [torch.empty(shape) for shape in shapes]
        costs = Costs()
        with costs:
            result = function(*inputs)
    return costs.terms(result), costs.flops


def backward(function, *shapes):
    """The longest sum of each gradient."""
    with FakeTensorMode():
        inputs = [torch.empty(shape, requires_grad=True) for shape in shapes]
        costs = Costs()
        with costs:
            result = function(*inputs)
            gradients = torch.autograd.grad(result, inputs, torch.empty_like(result))
    return [costs.terms(gradient) for gradient in gradients]


class SumsTest(unittest.TestCase):
    def test_forward(self):
        for function, shapes, terms, flops in (
                (F.linear, [(5, 7), (3, 7)], 7, 2 * 5 * 7 * 3),
                (torch.bmm, [(2, 3, 11), (2, 11, 5)], 11, 2 * 2 * 3 * 11 * 5),
                (F.conv2d, [(2, 3, 9, 9), (4, 3, 5, 5)], 75, 2 * 2 * 4 * 25 * 75),
                (lambda x: x.sum(1), [(4, 13)], 13, 0),
                (lambda x: torch.softmax(x, 0), [(17, 2)], 17, 0),
                (lambda x: F.layer_norm(x, [3, 5]), [(4, 3, 5)], 15, 0),
                (lambda x: F.group_norm(x, 2), [(3, 4, 10)], 20, 0),
                (lambda x: F.batch_norm(x, None, None, training=True), [(3, 4, 10)], 30, 0),
                (lambda x: torch.relu(x) + 1, [(4, 4)], 1, 0),
                (lambda x: torch.cumsum(x, 1), [(4, 19)], 19, 0),
                (lambda x: F.avg_pool2d(x, 3), [(1, 1, 9, 9)], 9, 0)):
            self.assertEqual(forward(function, *shapes), (terms, flops))

    def test_earlier_sums_count(self):
        self.assertEqual(forward(lambda x, w: F.linear(x, w).sum(0), (5, 7), (3, 7))[0], 7)

    def test_transposed_convolution(self):
        self.assertEqual(forward(lambda x, w: F.conv_transpose2d(x, w, stride=2), (1, 6, 4, 4),
                                 (6, 3, 4, 4))[0], 24)

    def test_backward_of_a_linear_layer(self):
        self.assertEqual(backward(F.linear, (50, 7), (3, 7), (3,)), [3, 50, 50])

    def test_backward_of_a_layer_norm(self):
        self.assertEqual(backward(lambda x, w, b: F.layer_norm(x, [16], w, b), (40, 16), (16,),
                                  (16,)), [16, 40, 40])

    def test_backward_of_a_convolution(self):
        self.assertEqual(backward(F.conv2d, (2, 3, 9, 9), (4, 3, 5, 5)), [100, 50])
