"""The labelled set can be made again from the present rules and kernels, and is balanced.

No task is in both of its splits.

usage: labels_test.py ROOT MUTANTS
"""

import pathlib
import sys
import unittest

ROOT = pathlib.Path(sys.argv[1])
# <build>/tests/mutants/mutants
BUILD = pathlib.Path(sys.argv[2]).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/mutants"))
import mutant_set  # noqa: E402


class Labels(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.kernels = mutant_set.labelled_set(BUILD)["kernels"]

    def labelled(self, verifier, split):
        return [kernel for kernel in self.kernels
                if kernel["labels"].get(verifier, {}).get("split") == split]

    def test_each_verifier_has_as_many_wrong_kernels_as_right_ones(self):
        for verifier in mutant_set.VERIFIERS:
            for split, count in mutant_set.PER_SPLIT.items():
                kernels = self.labelled(verifier, split)
                wrong = [kernel for kernel in kernels if not kernel["labels"][verifier]["valid"]]
                self.assertEqual((len(kernels), len(wrong)), (count, count // 2), (verifier, split))
                self.assertGreaterEqual(len({kernel["source"] for kernel in kernels}), count)

    def test_no_task_is_in_both_splits(self):
        tasks = {split: {kernel["task"] for verifier in mutant_set.VERIFIERS
                         for kernel in self.labelled(verifier, split)}
                 for split in mutant_set.PER_SPLIT}
        self.assertFalse(tasks["tune"] & tasks["held_out"])

    def test_wrong_kernels_have_a_finding_and_no_rule(self):
        for kernel in self.kernels:
            for label in kernel["labels"].values():
                self.assertEqual(label["valid"], not label["found"])
                rule = kernel["name"].split(".")[3:4]
                self.assertFalse(rule and rule[0] in label["found"], kernel["name"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
