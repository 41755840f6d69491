"""Each source that cannot become a task is refused, with its reason and a remedy."""

import pathlib
import tempfile
import unittest

from importing import REFUSED, SOURCES, Imported

# Texts of the reason and of the remedy.
EXPECTED = {
    "dropout": ("forward is random: it calls aten::dropout", "eval()"),
    "noise": ("forward is random: it calls aten::randn_like", "argument"),
    "python_noise": ("another result than the module", "arguments alone"),
    "changes_its_input": ("changes an input or a weight in place", "new tensor"),
    "size_depends_on_data": ("a size depends on data", "shapes"),
    "branches_on_its_input": ("an input decides about the graph", "torch.where"),
    "no_model": ("has no class Model", "Model"),
    "wrong_arity": ("get_inputs returns 1 arguments", "each argument of forward"),
    "for_cuda_only": ("the module is for CUDA only", "--device cuda"),
    "not_a_number": ("the float64 reference has NaN", "domain"),
    "too_large": ("exceed the", "--shrink"),
    "returns_a_number": ("an output is a int, no tensor", "tuple of tensors"),
    "positive_definite_by_hand": ("is symmetric", "one random tensor"),
}


class RefusalsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.imported = Imported(REFUSED)

    def test_every_source_is_expected(self):
        self.assertEqual(sorted(self.imported.answers), sorted(EXPECTED))
        self.assertEqual(self.imported.packages, {})
        self.assertEqual(self.imported.returncode, 0)

    def test_reasons_and_remedies(self):
        for name, (reason, remedy) in EXPECTED.items():
            with self.subTest(name):
                refusal = self.imported.refusal(name)
                self.assertIn(reason, refusal["reason"])
                self.assertIn(remedy, refusal["remedy"])

    def test_syntax_error(self):
        with tempfile.TemporaryDirectory() as directory:
            source = pathlib.Path(directory, "broken.py")
            source.write_text("def get_inputs(:\n")
            refusal = Imported(source).refusal("broken")
        self.assertIn("broken.py is no Python", refusal["reason"])
        self.assertIn("line 1", refusal["reason"])

    def test_a_source_that_fails_when_it_is_run(self):
        with tempfile.TemporaryDirectory() as directory:
            source = pathlib.Path(directory, "ends.py")
            source.write_text("import a_module_that_is_not_there\n")
            refusal = Imported(source).refusal("ends")
        self.assertIn("No module named", refusal["reason"])

    def test_unknown_key_of_a_config(self):
        imported = Imported(SOURCES / "scaled_linear.py", options=["--config", "batch=3"])
        refusal = imported.refusal("scaled_linear")
        self.assertIn("--config names batch", refusal["reason"])
        self.assertIn("batch_size", refusal["remedy"])
