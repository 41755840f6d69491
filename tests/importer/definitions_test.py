"""Imports of definitions of flashinfer-bench and their workloads."""

import json
import pathlib
import tempfile
import unittest

from importing import SOURCES, Imported
import torch

from importer import content
from importer.evaluate import run

DEFINITION = SOURCES / "flashinfer" / "add_norm.json"
WORKLOADS = SOURCES / "flashinfer" / "add_norm.jsonl"


class ADefinition(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        imported = Imported(DEFINITION, options=["--workloads", str(WORKLOADS)])
        cls.package = imported.packages["add_norm"]
        cls.point = cls.package["points"][0]

    def test_inputs_are_the_arguments_and_outputs_follow_them(self):
        self.assertEqual(self.point["arguments"], [
            {"tensor": "x"}, {"tensor": "residual"}, {"tensor": "weight"}, {"parameter": "eps"}])
        self.assertEqual([o["name"] for o in self.point["outputs"]], ["normed", "summed"])
        self.assertIs(self.package["out_arguments"], True)

    def test_workloads_are_configs_and_the_largest_is_timed(self):
        configs = self.package["configs"]["forward"]
        self.assertEqual([c["rows"] for c in configs["multi_shared_configs"]], [1, 7, 64])
        self.assertEqual(configs["single_shared_configs"], [{"rows": 64, "eps": 1e-6}])
        self.assertIn("Workloads that take tensors from files are left out, 1 of 5.",
                      self.package["notes"])

    def test_a_constant_axis_is_no_parameter(self):
        self.assertEqual(self.package["defaults"], {"rows": 64, "eps": 1e-6})
        self.assertTrue(all(p["inputs"][0]["shape"][1] == 24 for p in self.package["points"]))

    def test_the_graph_computes_the_reference(self):
        tensors = content.tensors_of(self.point, self.package["graphs"], 7)
        graph = self.package["graphs"][self.point["graph"]]
        normed, summed = run(graph, [tensors[name] for name in graph["inputs"]])
        exact = tensors["x"].float() + tensors["residual"].float()
        torch.testing.assert_close(summed, exact.bfloat16())
        exact *= torch.rsqrt(exact.square().mean(-1, keepdim=True) + 1e-6)
        torch.testing.assert_close(normed, (exact * tensors["weight"].float()).bfloat16())

    def test_prompts_show_the_reference(self):
        self.assertEqual(self.package["source"]["file"], "add_norm.py")
        self.assertIn("def run(x, residual, weight, eps):", self.package["source"]["text"])


class Refusals(unittest.TestCase):
    def refusal(self, change=lambda definition: None, workloads=None):
        definition = json.loads(DEFINITION.read_text())
        change(definition)
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch, "changed.json")
            path.write_text(json.dumps(definition))
            lines = pathlib.Path(scratch, "changed.jsonl")
            lines.write_text(WORKLOADS.read_text() if workloads is None else workloads)
            imported = Imported(path, options=["--workloads", str(lines)])
        return imported.refusal("changed")["reason"]

    def test_sizes_are_needed(self):
        imported = Imported(DEFINITION)
        self.assertEqual(imported.refusal("add_norm")["reason"],
                         "the values of rows, eps are not known")

    def test_tensors_from_files_have_no_distribution(self):
        files = "".join(line + "\n" for line in WORKLOADS.read_text().splitlines()
                        if "safetensors" in line)
        self.assertIn("of its 1 workloads 1 take tensors from files",
                      self.refusal(workloads=files))

    def test_other_dtypes(self):
        change = lambda definition: definition["inputs"]["x"].update(dtype="float8_e4m3fn")
        self.assertIn("x is float8_e4m3fn", self.refusal(change))

    def test_integers_of_no_known_range(self):
        change = lambda definition: definition["inputs"]["weight"].update(dtype="int32")
        self.assertIn("weight is a random tensor of int32", self.refusal(change))

    def test_a_reference_that_returns_something_else(self):
        change = lambda definition: definition["outputs"]["summed"].update(dtype="float32")
        self.assertIn("run returns summed as torch.bfloat16", self.refusal(change))
        self.assertEqual(self.refusal(lambda d: d.update(reference="def go():\n    pass\n")),
                         "the reference has no function run")

    def test_sizes_that_break_a_constraint(self):
        change = lambda definition: definition.update(constraints=["x[0] > 0", "rows < 4"])
        self.assertIn("do not fit together: rows < 4", self.refusal(change))

    def test_a_definition_without_axes(self):
        change = lambda definition: definition.pop("axes")
        self.assertIn("it has no axes", self.refusal(change))

    def test_workloads_of_a_module(self):
        imported = Imported(SOURCES / "scaled_linear.py", options=["--workloads", str(WORKLOADS)])
        self.assertIn("--workloads is for a definition", imported.refusal("scaled_linear")["reason"])


class OutArguments(unittest.TestCase):
    def test_any_source_may_have_them(self):
        with tempfile.TemporaryDirectory() as scratch:
            source = pathlib.Path(scratch, "loss.py")
            source.write_text("import torch\n\n\ndef loss(output, target):\n"
                              "    return (output - target).abs()\n\n\n"
                              "def get_inputs():\n    return [torch.randn(3, 5), torch.randn(3, 5)]\n")
            package = Imported(source, options=["--out-arguments"]).packages["loss"]
        self.assertIs(package["out_arguments"], True)
        self.assertEqual(package["points"][0]["outputs"][0]["name"], "output_")
