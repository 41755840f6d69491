"""The code of docs/python.md runs as it stands, and its reward is that of the example."""

import contextlib
import io
import pathlib
import re
import sys
import types
import unittest
import unittest.mock

from rkb_client import Client

ROOT = pathlib.Path(__file__).resolve().parents[2]
CONFIG = "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3"
sys.path.insert(0, str(ROOT / "examples/trainer"))

import rewards  # noqa: E402


def submit_one_config(client, task, source, *, scope=None, submit=Client.submit, **options):
    """Submits with a scope of one config, since timing all would take the test half a minute."""
    return submit(client, task, source, scope={**(scope or {}), "config": CONFIG}, **options)


@unittest.mock.patch.object(Client, "submit", submit_one_config)
class PageTest(unittest.TestCase):
    def test_the_code_runs_and_prints_what_it_says(self):
        page = (ROOT / "docs/python.md").read_text()
        blocks = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
        printed, names = io.StringIO(), {}
        with contextlib.redirect_stdout(printed):
            for block in blocks:
                exec(compile(block, "docs/python.md", "exec"), names)
        lines = printed.getvalue().splitlines()
        self.assertTrue(lines[0].startswith("pass"), lines)
        self.assertIn("compile pass", lines)
        self.assertIn("cancelled", lines)
        self.assertGreaterEqual(float(lines[-1]), 1.0)
        for speedup in (0.5, 1.0, 4.0):
            evaluation = types.SimpleNamespace(passed=True, score=speedup)
            self.assertEqual(names["reward"](evaluation), rewards.reward(evaluation))

    def test_the_trainer_takes_rewards_of_all_completions(self):
        right = (ROOT / "tasks/mnist_linear/forward.cpp").read_text()
        wrong = (ROOT / "tests/exploits/skips_the_last_k.cpp").read_text()
        completions = [[{"role": "assistant", "content": f"It is:\n```cpp\n{right}```"}],
                       f"```cpp\n{wrong}\n```", "I cannot.", f"```cpp\n{right}```"]
        with contextlib.redirect_stdout(io.StringIO()):
            found = rewards.rewards(completions, task=["mnist_linear"] * 3 + ["missing"])
        self.assertGreaterEqual(found[0], 1.0)
        self.assertEqual(found[1:], [0.0, 0.0, None])
