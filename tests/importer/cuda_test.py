"""Imports of modules for a GPU. Some tests need no GPU, and the others run where there is one."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from importing import REFUSED, SOURCES, Imported, operators, tensor
import torch

from importer.module_source import ModuleSource
from importer.trace import traced

# It is refused where there is no GPU.
FOR_CUDA_ONLY = REFUSED / "for_cuda_only.py"
CONVERTED = """import torch

class Model(torch.nn.Module):
    def __init__(self, features):
        super().__init__()
        self.first = torch.nn.Linear(features, features)
        self.second = torch.nn.Linear(features, features)
        self.second.weight = self.first.weight
        self.{conversion}

    def forward(self, x):
        return self.second(self.first(x))

features = 8

def get_inputs():
    return [torch.randn(4, features).{conversion}]

def get_init_inputs():
    return [features]
"""


def followed(path, device):
    """The point and the graphs of the defaults, by shapes alone."""
    source, graphs = ModuleSource(path), []
    trace = traced(source, source.defaults, graphs, False, device)
    return trace.point, graphs


def converted(conversion):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory, "converted.py")
        path.write_text(CONVERTED.format(conversion=conversion))
        return followed(path, "cuda" if conversion == "cuda()" else "cpu")


class WithoutGpu(unittest.TestCase):
    def test_shapes_on_a_gpu_are_those_on_a_cpu(self):
        for name in ("scaled_linear.py", "conv_norm_pool.py", "masked_loss.py"):
            with self.subTest(name):
                self.assertEqual(followed(SOURCES / name, "cuda"), followed(SOURCES / name, "cpu"))

    def test_modules_may_be_moved_and_converted(self):
        moved, graphs = converted("cuda()")
        self.assertEqual([t["name"] for t in moved["weights"]],
                         ["first_weight", "first_bias", "second_bias"])
        self.assertEqual(moved["weights"][0]["distribution"]["kind"], "uniform")
        self.assertNotIn("then", moved["weights"][0]["distribution"])
        self.assertEqual([n["op"] for n in graphs[moved["graph"]]["nodes"]],
                         ["aten::linear", "aten::linear"])
        halved, _ = converted("half()")
        self.assertEqual({t["dtype"] for t in halved["weights"] + halved["inputs"]}, {"float16"})

    def test_a_missing_gpu_is_refused(self):
        refusal = Imported(SOURCES / "scaled_linear.py", options=["--device", "cuda"]).refusal(
            "scaled_linear")
        self.assertIn("--device cuda asks for a GPU", refusal["reason"])
        self.assertIn("without --device", refusal["remedy"])


@unittest.skipUnless(torch.cuda.is_available(), "there is no GPU")
class WithGpu(unittest.TestCase):
    def test_a_module_for_cuda_only(self):
        package = Imported(FOR_CUDA_ONLY, options=["--device", "cuda"],
                           with_gpu=True).packages["for_cuda_only"]
        self.assertEqual(operators(package)[-1], "aten::mul.Tensor")
        self.assertEqual(tensor(package, "weight")["distribution"]["kind"], "normal")
        self.assertLess(package["points"][0]["float32_error"][0]["error"], 1e-6)

    def test_a_convolution_in_float32(self):
        package = Imported(SOURCES / "conv_norm_pool.py", options=["--device", "cuda"],
                           with_gpu=True).packages["conv_norm_pool"]
        errors = [p["float32_error"][0]["error"] for p in package["points"] if "float32_error" in p]
        self.assertLess(max(errors), 1e-5)

    def test_rkb_imports_in_a_sandbox_that_has_the_gpu(self):
        with tempfile.TemporaryDirectory() as tasks:
            done = subprocess.run(
                [os.environ["RKB"], "import", FOR_CUDA_ONLY, "--device", "cuda", "--out", tasks,
                 "--json", f"{tasks}/import.json"], check=False, text=True,
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            self.assertEqual(done.returncode, 0, done.stdout)
            sources = json.loads(pathlib.Path(tasks, "import.json").read_text())["sources"]
        self.assertEqual(sources[0]["state"], "imported")
