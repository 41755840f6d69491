"""The client of `rkb serve` against the server itself, on the CPU."""

import concurrent.futures
import pathlib
import unittest

from rkb_client import Client, Kernel, RequestError, ServerError

ROOT = pathlib.Path(__file__).resolve().parents[2]
RIGHT = ROOT / "tasks/mnist_linear/forward.cpp"
WRONG = ROOT / "tests/exploits/skips_the_last_k.cpp"
ENDLESS = ROOT / "tests/exploits/sleeps_for_ever.cpp"
CONFIG = "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3"
SCOPE = {"seeds": 1, "config": CONFIG}


class ClientTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        # With room for one, the client itself holds back the others. Only a cancellation ends a call.
        cls.client = Client(options=["--queue", "1", "--call-timeout", "3600", "--allow", "clocks"])

    @classmethod
    def tearDownClass(cls):
        cls.client.close()

    def submit(self, source, **options):
        return self.client.submit("mnist_linear", source, scope=SCOPE, **options)

    def test_a_right_kernel_passes_its_stages_and_has_a_record(self):
        submission = self.submit(RIGHT.read_text())
        stages = [(stage.stage, stage.verdict) for stage in submission.stages()]
        self.assertEqual(stages, [(name, "pass") for name in ("compile", "test", "time")])
        evaluation = submission.result()
        self.assertTrue(evaluation.passed)
        self.assertEqual(evaluation.against, "eager")
        self.assertLessEqual(evaluation.speedup_low, evaluation.speedup)
        self.assertEqual(evaluation.score, evaluation.speedup_low)
        self.assertEqual(evaluation.record["kernels"][0]["task"], "mnist_linear")

    def test_a_wrong_kernel_has_a_verdict_and_no_score(self):
        evaluation = self.client.evaluate("mnist_linear", WRONG, scope=SCOPE)
        self.assertEqual((evaluation.verdict, evaluation.score), ("wrong_result", 0.0))
        self.assertIn("not close", evaluation.reason)

    def test_kernels_are_compiled_as_they_ask(self):
        text = RIGHT.read_text() + "\n#ifndef WIDTH\n#error no width\n#endif\n"
        without, with_width = (self.submit(kernel, bench=False).result()
                               for kernel in (text, Kernel(text, define=["WIDTH=4"])))
        self.assertEqual((without.verdict, with_width.verdict), ("compile_error", "pass"))

    def test_cancelled_kernels_end_and_others_go_on(self):
        endless, waits, right = (self.submit(path, bench=False)
                                 for path in (ENDLESS, ENDLESS, RIGHT))
        self.assertEqual(next(endless.stages()).stage, "compile")
        self.assertTrue(waits.cancel())
        self.assertTrue(waits.cancelled())
        self.assertTrue(endless.cancel())
        with self.assertRaises(concurrent.futures.CancelledError):
            endless.result()
        self.assertTrue(right.result().passed)
        self.assertFalse(right.cancel())

    def test_evaluate_cancels_after_its_timeout(self):
        with self.assertRaises(concurrent.futures.TimeoutError):
            self.client.evaluate("mnist_linear", ENDLESS, scope=SCOPE, timeout=0.1)
        self.assertTrue(self.client.evaluate("mnist_linear", RIGHT, bench=False, scope=SCOPE).passed)

    def test_the_record_names_the_coverage(self):
        evaluation = self.client.evaluate("mnist_linear", RIGHT, bench=False,
                                          scope={"coverage": "quick"})
        self.assertEqual(evaluation.record["kernels"][0]["scope"], "quick")

    def test_impossible_requests_are_errors(self):
        for task, source, options, complaint in (
                ("mnist_liner", RIGHT, {}, "mnist_linear"),
                ("mnist_linear", RIGHT, {"scope": {"seeds": 0}}, "seeds"),
                ("mnist_linear", RIGHT, {"scope": {"coverage": "some"}}, "quick"),
                ("mnist_linear", "my_kernel.cpp", {}, "pathlib.Path"),
                ("mnist_linear", "\ud800\n", {}, "JSON"),
                ("mnist_linear", "\n" * (4 << 20), {}, "paths")):
            with self.subTest(complaint), self.assertRaisesRegex(RequestError, complaint):
                self.client.evaluate(task, source, **options)

    def test_what_is_there_is_told(self):
        self.assertEqual(self.client.tasks["mnist_linear"], ["forward", "backward"])
        self.assertIn("cpu", self.client.devices)

    def test_a_program_that_is_no_server_is_an_error(self):
        for program, complaint in (("/missing/rkb", "cannot be started"), ("false", "exit code 1")):
            with self.subTest(program), self.assertRaisesRegex(ServerError, complaint):
                Client(rkb=program)


