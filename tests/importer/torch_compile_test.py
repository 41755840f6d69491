"""torch.compile packages of imported tasks compute the same as their graphs, and rkb times them."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from importing import KERNEL_OF_SCALED_LINEAR
import torch

from importer import content, torch_compile
from importer.evaluate import run
from importer.verify import difference

torch_compile.load_torch()  # packages look for its symbols
PACKAGES = pathlib.Path(__file__).parents[1] / "packages"
RKB = os.environ["RKB"]


class Task:
    """A package of the tree and its smallest point."""

    def __init__(self, name):
        self.path = PACKAGES / f"{name}.task.json"
        self.package = json.loads(self.path.read_text())
        self.point = min(self.package["points"], key=lambda p: (p["bytes"], p["flops"]))
        self.graph = self.package["graphs"][self.point["graph"]]
        self.names = [t["name"] for t in self.point["inputs"] + self.point["weights"]]

    def request(self, out, direction="forward", **changes):
        incoming = ["grad_output"] if direction == "backward" else []
        return {"package": str(self.path), "direction": direction, "params": self.point["params"],
                "tensors": self.names + incoming, "device": "cpu", "threads": 1,
                "torch": torch.__version__.partition("+")[0], "out": str(out), **changes}

    def tensors(self):
        """Content that differs from that on which a package is tried, without absent tensors."""
        drawn = content.tensors_of(self.point, self.package["graphs"], 9)
        return {name: drawn[name] for name in self.names if drawn[name] is not None}


class PackagesTest(unittest.TestCase):
    """One process answers all requests, since Python takes two seconds to load torch."""

    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)
        cls.loss, cls.norm = Task("masked_loss"), Task("row_norm")
        cls.forward, cls.backward = cls.scratch / "forward.pt2", cls.scratch / "backward.pt2"
        none = cls.scratch / "none.pt2"
        *cls.made, cls.other, cls.no_gpu = cls.answers(
            cls.loss.request(cls.forward), cls.norm.request(cls.backward, "backward"),
            cls.loss.request(none, torch="1.0.0"), cls.loss.request(none, device="cuda"))

    @classmethod
    def answers(cls, *requests):
        file = cls.scratch / "requests.json"
        file.write_text(json.dumps(requests))
        done = subprocess.run([sys.executable, "-m", "importer.torch_compile", str(file)],
                              stdout=subprocess.PIPE, check=True, text=True,
                              env={**os.environ, "CUDA_VISIBLE_DEVICES": ""})
        return [json.loads(line) for line in done.stdout.splitlines()]

    def test_packages_compute_what_graphs_do(self):
        loss, norm = self.loss, self.norm
        self.assertEqual([list(a) for a in self.made], [["seconds"], ["seconds"]], self.made)

        tensors = loss.tensors()
        made = torch._inductor.aoti_load_package(str(self.forward))(*tensors.values())
        wanted = run(loss.graph, content.in_order(loss.graph, tensors))
        self.assertLess(difference(made[0], wanted[0]), 1e-5)

        tensors = norm.tensors()
        wrt = [tensors[name].requires_grad_() for name in norm.package["backward"]["outputs"]]
        output = run(norm.graph, content.in_order(norm.graph, tensors))[0]
        incoming = torch.randn_like(output)
        wanted = torch.autograd.grad(output, wrt, incoming)
        given = [tensor.detach() for tensor in tensors.values()]
        made = torch._inductor.aoti_load_package(str(self.backward))(*given, incoming)
        for one, other in zip(made, wanted, strict=True):
            self.assertLess(difference(one, other), 1e-5)

    def test_refusals(self):
        self.assertIn("the suite loads torch 1.0.0", self.other["refused"]["reason"])
        self.assertIn("asks for a GPU", self.no_gpu["refused"]["reason"])
        self.assertEqual({file.name for file in self.scratch.glob("*.pt2")},
                         {"forward.pt2", "backward.pt2"})


class RkbTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = pathlib.Path(scratch.name)

    @unittest.skipUnless(torch.cuda.is_available(), "there is no GPU")
    def test_packages_for_a_gpu(self):
        done = self.rkb("compile-baseline", str(Task("row_norm").path), "--device", "cuda")
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn(" 0 kept, 0 refused", done.stdout)

    def rkb(self, *arguments, shell=False):
        return subprocess.run(arguments[0] if shell else [RKB, *arguments], shell=shell,
                              check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env={**os.environ, "RKB_CACHE": str(self.scratch / "cache")})

    def evaluated(self, package):
        """The output of rkb, and the subjects that it has timed."""
        kernel, record = self.scratch / "kernel.cpp", self.scratch / "record.json"
        kernel.write_text(KERNEL_OF_SCALED_LINEAR)
        params = Task("scaled_linear").point["params"]
        config = ",".join(f"{key}={value}" for key, value in params.items())
        done = self.rkb("evaluate", "--task", str(package), "--config", config, "--scope", "listed",
                        "--against", "eager,compile", "--json", str(record), str(kernel))
        self.assertEqual(done.returncode, 0, done.stdout)
        timings = json.loads(record.read_text())["kernels"][0]["timings"]
        return done.stdout, [subject["subject"] for subject in timings[0]["subjects"]]

    def test_rkb_makes_and_times_them(self):
        package = self.scratch / "scaled_linear.task.json"
        package.write_text(Task("scaled_linear").path.read_text())
        text, subjects = self.evaluated(package)
        self.assertEqual(subjects, ["kernel", "eager"], text)
        self.assertIn("torch.compile is not timed on 1 of 1 configs", text)
        command = text.partition("they are made by ")[2].splitlines()[0]
        made = self.rkb(command, shell=True)
        self.assertIn("1 packages made, 0 kept, 0 refused", made.stdout)
        self.assertIn("0 packages made, 1 kept", self.rkb(command, shell=True).stdout)
        text, subjects = self.evaluated(package)
        self.assertEqual(subjects, ["kernel", "eager", "compile"], text)

        changed = json.loads(package.read_text())
        changed["summary"] += " It is another one now."
        package.write_text(json.dumps(changed))
        text, subjects = self.evaluated(package)
        self.assertEqual(subjects, ["kernel", "eager"], text)
