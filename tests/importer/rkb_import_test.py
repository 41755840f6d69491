"""`rkb import` makes tasks that the suite finds and evaluates. It repeats no import."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

from importing import KERNEL_OF_SCALED_LINEAR, REFUSED, SOURCES

RKB = os.environ["RKB"]
# Writes its two outputs, which are its last arguments.
ADD_NORM = """#include <cmath>
#include <vector>
#include <torch/extension.h>
void forward(torch::Tensor x, torch::Tensor residual, torch::Tensor weight, double eps,
             torch::Tensor normed, torch::Tensor summed) {
  const int64_t width = x.size(1);
  for (int64_t row = 0; row < x.size(0); ++row) {
    std::vector<float> sums(width);
    float squares = 0;
    for (int64_t i = 0; i < width; ++i) {
      const int64_t at = row * width + i;
      sums[i] = static_cast<float>(x.data_ptr<at::BFloat16>()[at]) +
                static_cast<float>(residual.data_ptr<at::BFloat16>()[at]);
      squares += sums[i] * sums[i];
    }
    const float scale = 1 / std::sqrt(squares / width + static_cast<float>(eps));
    for (int64_t i = 0; i < width; ++i) {
      summed.data_ptr<at::BFloat16>()[row * width + i] = sums[i];
      normed.data_ptr<at::BFloat16>()[row * width + i] =
          sums[i] * scale * static_cast<float>(weight.data_ptr<at::BFloat16>()[i]);
    }
  }
}
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
"""


class RkbImport(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.tasks = pathlib.Path(cls.scratch.name, "tasks")
        cls.first = cls.run_rkb("import", *cls.sources(), "--json", f"{cls.scratch.name}/import.json")
        cls.answers = json.loads(pathlib.Path(cls.scratch.name, "import.json").read_text())["sources"]

    @classmethod
    def tearDownClass(cls):
        cls.scratch.cleanup()

    @staticmethod
    def sources():
        return [str(SOURCES / "scaled_linear.py"), str(SOURCES / "row_norm"),
                str(REFUSED / "noise.py"), str(SOURCES / "triangular_top.py")]

    @classmethod
    def run_rkb(cls, *arguments):
        return subprocess.run([RKB, *arguments], check=False, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT,
                              env={**os.environ, "ROBUST_KBENCH_TASKS": str(cls.tasks)})

    def test_table_and_exit_code(self):
        self.assertEqual(self.first.returncode, 1, self.first.stdout)
        self.assertEqual([a["state"] for a in self.answers],
                         ["imported", "imported", "refused", "imported"])
        self.assertEqual(self.answers[0]["kind"], "kernelbench")
        self.assertEqual(self.answers[1]["directions"], ["forward", "backward"])
        self.assertIn("noise.py is refused: ", self.first.stdout)

    def package(self, name):
        return json.loads((self.tasks / f"{name}.task.json").read_text())

    def test_probes_that_torch_fails_are_left_out(self):
        self.assertEqual(self.package("scaled_linear")["domain"]["inapplicable"], [])

    def test_probes_with_equal_elements_where_their_order_is_open(self):
        left_out = {p["probe"] for p in self.package("triangular_top")["domain"]["inapplicable"]}
        self.assertLessEqual({"ties", "constant_rows", "repeated_row"}, left_out)

    def test_the_arithmetic_that_the_limits_reject(self):
        for answer in self.answers[:2]:
            for direction in answer["directions"]:
                claims = answer["precision"][direction]
                self.assertTrue(claims["passes"], claims)
                self.assertEqual(claims["accepted"], {"arithmetic": [], "constants": []})
        self.assertEqual(self.answers[0]["precision"]["forward"]["rejected"]["arithmetic"],
                         ["all in bfloat16", "factors in bfloat16", "factors in TF32"])
        one = self.run_rkb("import", self.sources()[0])
        self.assertIn("forward: torch's own result passes", one.stdout)
        self.assertIn("rejected: all in bfloat16, factors in bfloat16, factors in TF32, constant",
                      one.stdout)

    def test_an_unchanged_source_is_not_imported_again(self):
        again = self.run_rkb("import", *self.sources()[:2])
        self.assertEqual(again.returncode, 0, again.stdout)
        self.assertEqual(again.stdout.count("unchanged"), 4, again.stdout)
        other = self.run_rkb("import", self.sources()[0], "--config", "batch_size=3")
        self.assertIn("scaled_linear.py: imported", other.stdout)

    def test_a_linked_name_is_refused(self):
        refused = self.run_rkb("import", self.sources()[0], "--name", "layernorm")
        self.assertEqual(refused.returncode, 1)
        self.assertIn("the build has a task 'layernorm' of its own; give another name by --name",
                      refused.stdout)

    def test_the_task_is_evaluated(self):
        kernel = pathlib.Path(self.scratch.name, "kernel.cpp")
        kernel.write_text(KERNEL_OF_SCALED_LINEAR)
        done = self.run_rkb("evaluate", "--no-bench", "--task", "scaled_linear", str(kernel))
        self.assertEqual(done.returncode, 0, done.stdout)

    def test_a_definition_has_kernels_that_write_their_outputs(self):
        definition = SOURCES / "flashinfer" / "add_norm.json"
        workloads = SOURCES / "flashinfer" / "add_norm.jsonl"
        imported = self.run_rkb("import", str(definition), "--workloads", str(workloads))
        self.assertEqual(imported.returncode, 0, imported.stdout)
        kernel = pathlib.Path(self.scratch.name, "add_norm.cpp")
        kernel.write_text(ADD_NORM)
        done = self.run_rkb("evaluate", "--no-bench", "--task", "add_norm", str(kernel))
        self.assertEqual(done.returncode, 0, done.stdout)
        kernel.write_text(ADD_NORM.replace("i < width; ++i) {\n      summed",
                                           "i < width - 1; ++i) {\n      summed"))
        done = self.run_rkb("evaluate", "--no-bench", "--task", "add_norm", str(kernel))
        self.assertEqual(done.returncode, 1, done.stdout)
        self.assertIn("wrong_result", done.stdout)

    def test_a_skeleton_has_the_signature(self):
        skeleton = pathlib.Path(self.scratch.name, "new.cpp")
        done = self.run_rkb("new", "row_norm", str(skeleton))
        self.assertEqual(done.returncode, 0, done.stdout)
        self.assertIn("torch::Tensor forward(torch::Tensor x,\n    torch::Tensor weight,",
                      skeleton.read_text())
