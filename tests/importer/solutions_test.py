"""Reading of solutions in KernelBench's style, and the reasons for refusals."""

import json
import pathlib
import tempfile
import unittest

from importing import answers_of

HERE = pathlib.Path(__file__).parent / "solutions"
PROBLEM = HERE / "linear_relu.py"
REFUSED = {
    "falls_back": "falls back to torch where its build fails: the handler in line 26",
    "in_triton": "is written in Triton",
    "torch_alone": "builds no extension by load_inline",
    "branches_on_data": "an input decides about the graph",
    "other_weights": "weight is no weight of the problem",
}
ARGUMENTS = [{"t": 0}, {"t": 1}, {"t": 2}, 0.5]  # x, weight, bias, scale


class SolutionsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as directory:
            imported, _ = answers_of("importer.__main__", "--out", directory, PROBLEM)
            package = imported["linear_relu"]["package"]
            cls.package = json.loads(pathlib.Path(package).read_text())
            cls.answers, _ = answers_of("importer.solutions", "--package", package, "--out", directory,
                                        PROBLEM, *sorted((HERE / "linear_relu").glob("*.py")))
            cls.texts = {
                name: {file: pathlib.Path(directory, name, file).read_text()
                       for file in answer["files"]}
                for name, answer in cls.answers.items() if "files" in answer}

    def glue(self, name):
        """The plans of a solution."""
        text = self.texts[name][self.answers[name]["files"][-1]]
        pieces = text.split("rkb_glue[] = ")[1].split('R"glue(')[1:]
        return json.loads("".join(piece.split(')glue"')[0] for piece in pieces))

    def steps(self, name):
        """The plans for the problem's own shape."""
        return self.glue(name)["plans"][0]["steps"]

    def test_refusals(self):
        refused = {name for name, answer in self.answers.items() if "refused" in answer}
        self.assertEqual(refused, set(REFUSED))
        for name, reason in REFUSED.items():
            with self.subTest(name):
                self.assertIn(reason, self.answers[name]["refused"]["reason"])
                self.assertTrue(self.answers[name]["refused"]["remedy"])

    def test_a_single_call_has_no_glue(self):
        self.assertEqual(self.answers["direct"]["glue"], "")
        self.assertEqual(self.steps("direct"), [
            {"call": "linear", "args": ARGUMENTS, "outputs": 1, "results": [None]}])

    def test_every_point_of_the_package_has_a_plan(self):
        plans = self.glue("direct")["plans"]
        self.assertEqual(len(plans), len(self.package["points"]))
        self.assertEqual(plans[0]["shapes"], [[24, 40], [56, 40], [56]])

    def test_the_module_that_torch_would_add(self):
        self.assertEqual(self.answers["direct"]["files"], ["direct.cpp"])
        text = self.texts["direct"]["direct.cpp"]
        self.assertTrue(text.startswith("#include <torch/extension.h>\n"))
        self.assertIn('m.def("linear", &linear, "linear");', text)

    def test_views_need_no_operator(self):
        self.assertEqual(self.answers["with_views"]["glue"], "3 views")
        flat, turned, call, shaped = self.steps("with_views")
        self.assertEqual(flat, {"view": 0, "sizes": [960], "strides": [1], "offset": 0})
        self.assertEqual(turned, {"view": 1, "sizes": [40, 56], "strides": [1, 40], "offset": 0})
        self.assertEqual(call["args"], [{"t": 3}, {"t": 4}, {"t": 2}, 0.5, 24])
        self.assertEqual(call["results"], [[24 * 56]])
        self.assertEqual((shaped["view"], shaped["sizes"]), (5, [24, 56]))

    def test_functions_of_two_extensions_in_a_row(self):
        self.assertEqual(self.answers["two_in_a_row"]["glue"], "2 calls in a row")
        linear, cut = self.steps("two_in_a_row")
        self.assertEqual((linear["call"], linear["args"]), ("linear", ARGUMENTS))
        self.assertEqual((cut["call"], cut["args"]), ("cut", [{"t": 3}]))
        text = self.texts["two_in_a_row"]["two_in_a_row.cpp"]
        self.assertIn('m.def("linear"', text)
        self.assertIn('m.def("cut"', text)

    def test_operators_of_torch_before_and_after(self):
        add, view, contiguous, call, relu = self.steps("torch_around")
        self.assertEqual((add["op"], add["overload"], add["args"][:2]), ("aten::add", "Tensor",
                                                                       [{"t": 1}, 0.0]))
        self.assertEqual((view["op"], view["args"]), ("aten::view", [{"t": 3}, [56, 40]]))
        self.assertEqual((contiguous["op"], contiguous["args"]), ("aten::contiguous", [{"t": 4}]))
        self.assertEqual(call["args"], [{"t": 0}, {"t": 5}, {"t": 2}, 0.5])
        self.assertEqual((relu["op"], relu["args"]), ("aten::relu", [{"t": 6}]))

    def test_no_shape_is_required_that_forward_does_not_ask_for(self):
        for plan in self.glue("two_in_a_row")["plans"]:
            results = [step["results"] for step in plan["steps"]]
            self.assertEqual(results, [[None], [None]], plan["shapes"])

    def test_weights_are_found_by_how_they_are_made(self):
        self.assertEqual(self.steps("same_weights_by_hand"), self.steps("direct"))

    def test_shapes_that_python_does_not_take(self):
        answer = self.answers["fails_on_other_shapes"]
        plans = self.glue("fails_on_other_shapes")["plans"]
        self.assertGreater(answer["points_refused"], 0)
        self.assertLess(answer["points_refused"], answer["points"])
        raised = [plan["raised"] for plan in plans if "raised" in plan]
        self.assertEqual(len(raised), answer["points_refused"])
        self.assertIn("RuntimeError", raised[0])
