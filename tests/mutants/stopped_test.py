"""The evaluator passes a kernel, and stops mutants that its rules made from it.

usage: stopped_test.py ROOT MUTANTS
"""

import pathlib
import sys
import tempfile
import unittest

ROOT = pathlib.Path(sys.argv[1])
# <build>/tests/mutants/mutants
BUILD = pathlib.Path(sys.argv[2]).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mutants"))
import mutant_set  # noqa: E402

KERNEL = "tasks/mnist_linear_relu/forward.cpp"
MUTANTS = 6


class Stopped(unittest.TestCase):
    def test_mutants_fail_and_the_kernel_itself_passes(self):
        of_kernel = [each for each in mutant_set.candidates(BUILD)
                     if each["kernel"] == KERNEL and each["intent"] in ("", "memory", "numerics")]
        chosen = [each for each in of_kernel if not each["rule"]]
        chosen += mutant_set.spread([each for each in of_kernel if each["rule"]], MUTANTS, MUTANTS)
        with tempfile.TemporaryDirectory() as directory:
            verdicts = mutant_set.verdicts_of(
                mutant_set.evaluate(BUILD, pathlib.Path(directory).resolve(), chosen))
        self.assertEqual(len(verdicts), MUTANTS + 1)
        for each in chosen:
            passes = verdicts[str(each["path"])] == "pass"
            self.assertEqual(passes, not each["rule"], (each["rule"], each["place"]))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
