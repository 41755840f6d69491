"""The content of packages of whole sources."""

import json
import math
import pathlib
import shutil
import tempfile
import unittest

from importing import SOURCES, Imported, operators, tensor
import torch

from importer import content
from importer.evaluate import run

GOOD = ("scaled_linear", "conv_norm_pool", "causal_attention", "masked_loss", "triangular_top",
        "plain_function")


def computed(package, point=0):
    """The outputs of a point's graph in float32, and its inputs."""
    point = package["points"][point]
    tensors = content.tensors_of(point, package["graphs"], 7)
    graph = package["graphs"][point["graph"]]
    return run(graph, [None if tensors[n] is None else tensors[n].clone()
                       for n in graph["inputs"]]), tensors


def elements_of(point):
    return sum(math.prod(t["shape"]) for t in point["inputs"] + point["weights"])


class PackagesTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.imported = Imported(*(SOURCES / f"{name}.py" for name in GOOD), SOURCES / "row_norm")
        cls.packages = cls.imported.packages

    def test_every_good_source_has_a_package(self):
        self.assertEqual(sorted(self.packages), sorted([*GOOD, "row_norm"]))

    def test_kinds(self):
        kinds = {name: package["kind"] for name, package in self.packages.items()}
        self.assertEqual(kinds["scaled_linear"], "kernelbench")
        self.assertEqual(kinds["plain_function"], "module")
        self.assertEqual(kinds["row_norm"], "robust-kbench")

    def test_arguments_are_inputs_then_parameters(self):
        point = self.packages["scaled_linear"]["points"][0]
        self.assertEqual([a["tensor"] for a in point["arguments"]],
                         ["x", "scale", "linear_weight", "linear_bias"])

    def test_a_buffer_is_an_argument_where_it_is_read(self):
        point = self.packages["causal_attention"]["points"][0]
        self.assertEqual([a["tensor"] for a in point["arguments"]],
                         ["x", "project_weight", "mask"])

    def test_statistics_that_training_updates_are_no_argument(self):
        package = self.packages["conv_norm_pool"]
        names = [a["tensor"] for a in package["points"][0]["arguments"]]
        self.assertEqual(names, ["x", "conv_weight", "conv_bias", "norm_weight", "norm_bias"])
        norm = next(n for n in package["graphs"][package["points"][0]["graph"]]["nodes"]
                    if n["op"] == "aten::batch_norm")
        self.assertEqual(norm["args"][3:5], [None, None])

    def test_operators_are_those_that_eager_dispatches(self):
        self.assertEqual(operators(self.packages["conv_norm_pool"]),
                         ["aten::conv2d", "aten::batch_norm", "aten::relu_", "aten::max_pool2d"])

    def test_numbers_among_inputs_and_several_outputs(self):
        point = self.packages["triangular_top"]["points"][0]
        self.assertEqual(point["arguments"][2], {"value": 0.5, "name": "factor"})
        self.assertEqual([o["dtype"] for o in point["outputs"]], ["float32", "int64"])

    def test_absent_tensor(self):
        package = self.packages["plain_function"]
        self.assertIsNone(tensor(package, "bias")["distribution"])
        self.assertEqual([a["tensor"] for a in package["points"][0]["arguments"]],
                         ["x", "bias", "order"])
        self.assertEqual(package["points"][0]["outputs"][0]["dtype"], "bfloat16")

    def test_a_graph_computes_what_the_module_does(self):
        (values, indices), tensors = computed(self.packages["triangular_top"])
        expected = torch.topk(tensors["a"] @ tensors["b"] * 0.5, 5, dim=1)
        torch.testing.assert_close(values, expected[0])
        self.assertTrue(torch.equal(indices, expected[1]))

    def test_numbers_of_the_file_are_parameters(self):
        self.assertEqual(self.packages["scaled_linear"]["defaults"],
                         {"batch_size": 64, "in_features": 128, "out_features": 64})
        self.assertEqual(self.packages["causal_attention"]["defaults"],
                         {"shape_0": 2, "shape_1": 12, "shape_2": 32, "num_heads": 4})

    def test_drawn_and_small_configs_are_points(self):
        for name, package in self.packages.items():
            known = [point["params"] for point in package["points"]]
            for direction, drawn in package["drawn"].items():
                self.assertTrue(all(params in known for params in drawn), name)
                if name != "plain_function":
                    self.assertGreaterEqual(len(drawn), 3, f"{name} {direction}")
            small = package["configs"]["forward"].get("small_shared_configs", [])
            self.assertTrue(all({**package["defaults"], **config} in known for config in small))

    def test_large_configs_lie_near_the_largest_listed_one_and_below(self):
        package = self.packages["scaled_linear"]
        known = {json.dumps(p["params"]): p for p in package["points"]}
        elements = [elements_of(known[json.dumps(params)])
                    for params in package["large"]["forward"]]
        listed = elements_of(known[json.dumps(package["defaults"])])
        self.assertTrue(all(e <= listed for e in elements), elements)
        self.assertGreater(max(elements), 0.6 * listed)
        self.assertLess(min(elements), 0.1 * listed)

    def test_small_configs_have_one_and_odd_sizes(self):
        small = self.packages["scaled_linear"]["configs"]["forward"]["small_shared_configs"]
        values = [value for config in small for value in config.values()]
        self.assertTrue(any(value % 2 for value in values))
        self.assertLess(max(max(config.values()) for config in small), 200)

    def test_heads_are_not_varied_and_features_are_their_multiples(self):
        drawn = self.packages["causal_attention"]["drawn"]["forward"]
        self.assertEqual({params["num_heads"] for params in drawn}, {4})
        self.assertTrue(all(params["shape_2"] % 4 == 0 for params in drawn))

    def test_forward_of_a_folder(self):
        package = self.packages["row_norm"]
        point = package["points"][0]
        self.assertEqual(point["arguments"],
                         [{"tensor": "x"}, {"tensor": "weight"}, {"tensor": "bias"},
                          {"parameter": "eps"}, {"value": 2, "name": "power"}])
        self.assertEqual(package["summary"], "Divides each row by its root mean square.")
        self.assertEqual([s["file"] for s in [package["source"], *package["sources"]]],
                         ["func_forward.py", "func_backward.py"])
        self.assertEqual(package["points"][1]["params"]["eps"], 1.0)

    def test_backward_of_a_folder(self):
        package = self.packages["row_norm"]
        self.assertEqual(package["backward"]["outputs"], ["weight", "x"])
        point = next(p for p in package["points"] if "backward_arguments" in p and
                     (p["params"]["batch_size"], p["params"]["num_features"]) == (32, 64))
        self.assertEqual(point["backward_arguments"],
                         [{"tensors": ["x", "weight"]}, {"tensor": "grad_output"},
                          {"parameter": "eps"}])
        self.assertEqual(point["backward_bytes"], 4 * (3 * 32 * 64 + 2 * 64))

    def test_the_defaults_are_a_point(self):
        for name, package in self.packages.items():
            self.assertIn(package["defaults"], [p["params"] for p in package["points"]], name)

    def test_costs(self):
        point = self.packages["scaled_linear"]["points"][0]
        self.assertEqual(point["flops"], 2 * 64 * 128 * 64)
        self.assertEqual(point["bytes"], 4 * (64 * 128 + 64 * 128 + 2 * 64 + 64 * 64))
        self.assertLess(point["float32_error"][0]["error"], 1e-6)

    def test_unfused_bytes_are_those_of_two_results_in_a_row(self):
        point = self.packages["scaled_linear"]["points"][0]
        self.assertEqual(point["unfused_bytes"], 2 * 4 * 64 * 64)
        backward = next(p for p in self.packages["row_norm"]["points"] if "backward_bytes" in p)
        self.assertEqual(backward["backward_unfused_bytes"], 2 * backward["unfused_bytes"])


class OptionsTest(unittest.TestCase):
    def test_name_and_further_config(self):
        imported = Imported(SOURCES / "scaled_linear.py",
                            options=["--name", "mine", "--config", "batch_size=7,in_features=3"])
        package = imported.packages["scaled_linear"]
        self.assertEqual(package["name"], "mine")
        self.assertIn({"batch_size": 7, "in_features": 3},
                      package["configs"]["forward"]["multi_shared_configs"])
        self.assertTrue(any(p["params"]["batch_size"] == 7 for p in package["points"]))

    def test_a_parameter_without_a_default_of_its_own_has_that_of_the_configs(self):
        with tempfile.TemporaryDirectory() as directory:
            folder = pathlib.Path(shutil.copytree(SOURCES / "row_norm", directory + "/row_norm"))
            source = folder / "func_forward.py"
            text = source.read_text()
            self.assertIn("eps: float = 1e-5, init_method", text)
            source.write_text(text.replace("eps: float = 1e-5, init_method",
                                           "eps: float = None, init_method"))
            config = json.loads((folder / "config_forward.json").read_text())
            config["single_init_configs"][0]["eps"] = 0.5
            (folder / "config_forward.json").write_text(json.dumps(config))
            package = Imported(folder).packages["row_norm"]
        self.assertEqual(package["defaults"]["eps"], 0.5)

    def test_shrink(self):
        imported = Imported(SOURCES / "refused" / "too_large.py", options=["--shrink"])
        self.assertIn("Shrunk", imported.answers["too_large"]["notes"][0])
