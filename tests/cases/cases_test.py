"""The exit codes of rkb_cases in CTest, and its output, which cannot pass for a verdict. All of this
holds for a process of its own, and for a run of the fork server.

usage: cases_test.py RKB RKB_CASES RKB_FORK_CLIENT CTEST
"""

import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest

RKB, RKB_CASES, RKB_FORK_CLIENT, CTEST = sys.argv[1:5]
MANIFEST = json.loads(pathlib.Path(
    os.environ.get("ROBUST_KBENCH_MANIFEST",
                   pathlib.Path(RKB).parents[1] / "share/robust_kbench/manifest.json")).read_text())
HAS_NVCC = bool(MANIFEST["toolchain"]["nvcc"])
HAS_GPU = any(pathlib.Path("/dev").glob("nvidia[0-9]*"))
TASK = "mnist_linear"

# A compiler quotes this text, including the escape sequence.
BROKEN = '#include <torch/extension.h>\n#error [  SKIPPED ] \x1b[2J [  PASSED  ] 1 test.\n'


def run(*command, **environment):
    return subprocess.run(command, capture_output=True, text=True, errors="surrogateescape",
                          env={**os.environ, **environment}, check=False)


class CasesTest(unittest.TestCase):
    COMMAND = [RKB_CASES]

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory()
        root = pathlib.Path(cls.directory.name)
        honest, of_gpu = (
            next(k for k in MANIFEST["kernels"]
                 if (k["task"], k["direction"], k["device"]) == (TASK, "forward", device))
            for device in ("cpu", "cuda"))
        cls.honest = f"{TASK}.forward.{honest['name']}"

        def kernel(name, suffix=".cpp", device="cpu"):
            source = root / (name + suffix)
            source.write_text(BROKEN)
            return {**honest, "name": name, "device": device, "sources": [str(source)],
                    "record": str(root / f"{name}.json"), "library": str(root / f"{name}.so")}

        kernels = [honest, kernel("broken"), kernel("unbuilt"), of_gpu,
                   kernel("broken_gpu", ".cu", "cuda")]
        cls.root = root
        cls.manifest = root / "manifest.json"
        cls.manifest.write_text(json.dumps({**MANIFEST, "kernels": kernels}))
        for name in ("broken", "broken_gpu"):
            built = run(RKB, "--manifest", str(cls.manifest), "compile", "--task", TASK,
                        "--direction", "forward", "--kernel", name)
            assert built.returncode == 0, built.stderr
        cls.names = {what: cls.names_of(name) for what, name in (
            ("honest", honest["name"]), ("gpu", of_gpu["name"]), ("broken", "broken"),
            ("unbuilt", "unbuilt"), ("broken_gpu", "broken_gpu"))}

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    @classmethod
    def names_of(cls, kernel):
        listed = run(RKB_CASES, f"--manifest={cls.manifest}", "--gtest_list_tests").stdout
        tests, suite = [], ""
        for line in listed.splitlines():
            if not line.startswith(" "):
                suite = line
            elif suite == f"{TASK}.forward.{kernel}.":
                tests.append(suite + line.strip())
        return tests

    def cases(self, test_filter, **environment):
        return run(*self.COMMAND, f"--manifest={self.manifest}", f"--gtest_filter={test_filter}",
                   **environment)

    def test_an_honest_kernel_passes(self):
        result = self.cases(self.names["honest"][0])
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)

    def test_a_selection_of_not_exactly_one_test_is_a_harness_error(self):
        for test_filter in ("*", "nothing.like.this", self.honest + ".*seed_1"):
            result = self.cases(test_filter)
            self.assertEqual(result.returncode, 3, test_filter)
            self.assertIn("expected exactly 1", result.stderr)

    def test_a_kernel_that_does_not_compile_fails_with_the_escaped_words_of_the_compiler(self):
        result = self.cases(self.names["broken"][0])
        self.assertEqual(result.returncode, 1)
        self.assertIn("compile_error", result.stdout)
        self.assertIn("\\x1b[2J", result.stdout)
        self.assertNotIn("\x1b", result.stdout)

    def test_a_kernel_that_is_not_built_is_told_from_one_that_fails(self):
        result = self.cases(self.names["unbuilt"][0])
        self.assertEqual(result.returncode, 2)
        self.assertIn(" --target kernels", result.stdout)

    @unittest.skipIf(HAS_NVCC and HAS_GPU, "CUDA kernels run here")
    def test_a_gpu_kernel_that_cannot_run_is_one_skipped_test(self):
        self.assertEqual(len(self.names["gpu"]), 1)
        result = self.cases(self.names["gpu"][0])
        self.assertEqual(result.returncode, 77)
        reasons = [words for words, there in (("no nvcc when this build was configured", HAS_NVCC),
                                              (".*(NVIDIA|libcuda|cuInit).*", HAS_GPU)) if not there]
        self.assertRegex(result.stdout, r"\d+ cases and a sequence cannot run here: "
                         + ", and ".join(reasons) + "\n")
        required = self.cases(self.names["gpu"][0], ROBUST_KBENCH_SKIP_IS_FAILURE="1")
        self.assertEqual(required.returncode, 1)

    @unittest.skipIf(HAS_NVCC and HAS_GPU, "CUDA kernels run here")
    def test_a_gpu_kernel_that_does_not_compile_fails_where_a_compiler_says_so(self):
        self.assertEqual(len(self.names["broken_gpu"]), 1)
        result = self.cases(self.names["broken_gpu"][0])
        self.assertEqual(result.returncode, 1 if HAS_NVCC else 77, result.stdout)
        self.assertEqual("compile_error" in result.stdout, HAS_NVCC, result.stdout)

    def test_wrong_usage(self):
        self.assertEqual(run(*self.COMMAND, "--no-such-flag").returncode, 2)
        self.assertEqual(run(*self.COMMAND, "--manifest=/nowhere.json").returncode, 2)

    def test_ctest_calls_a_quoted_skip_a_failure(self):
        listed = run(RKB, "--manifest", str(self.manifest), "list", "--ctest",
                     str(self.root / "CTestTestfile.cmake"), "--cases-program", RKB_CASES,
                     "--fork-client", RKB_FORK_CLIENT)
        self.assertEqual(listed.returncode, 0, listed.stderr)
        result = run(CTEST, "--test-dir", str(self.root), "-R", r"broken.*seed_1$", "-FA", ".")
        self.assertIn("***Failed", result.stdout)
        self.assertNotIn("Skipped", result.stdout)
        self.assertNotIn("Passed", result.stdout)


def children_of(parent):
    """The processes that another one has started and not yet waited for."""
    listed = run("ps", "-o", "pid=", "--ppid", str(parent)).stdout
    return [int(word) for word in listed.split()]


class ForkServerTest(CasesTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        # By another path it is another server than the one that CTest may have started.
        program = cls.root / "rkb_cases"
        program.symlink_to(RKB_CASES)
        cls.COMMAND = [RKB_FORK_CLIENT, str(program)]
        run(str(program), "--serve")
        cls.server, = (int(pid) for pid in run("pgrep", "-fx", f"{program} --serve").stdout.split())

    @classmethod
    def tearDownClass(cls):
        run(RKB_FORK_CLIENT, "--end", cls.COMMAND[1])
        super().tearDownClass()

    def test_runs_draw_numbers_of_their_own(self):
        drawn = next(name for name in self.names["honest"] if ".drawn" in name)
        nonces = {re.search("--nonce (0x[0-9a-f]+)", self.cases(drawn).stdout)[1]
                  for _ in range(2)}
        self.assertEqual(len(nonces), 2)

    def test_a_run_ends_when_its_client_is_killed(self):
        with subprocess.Popen([*self.COMMAND, f"--manifest={self.manifest}", "--gtest_repeat=-1",
                               f"--gtest_filter={self.names['honest'][0]}"],
                              stdout=subprocess.DEVNULL) as client:
            while not children_of(self.server):
                time.sleep(0.01)
            client.kill()
        while children_of(self.server):
            time.sleep(0.01)

    def test_a_second_server_leaves_the_first_one_alone(self):
        self.assertEqual(run(self.COMMAND[1], "--serve").returncode, 0)
        self.assertEqual(self.cases(self.names["honest"][0]).returncode, 0)
        self.assertEqual(run("kill", "-0", str(self.server)).returncode, 0)

    def test_a_client_without_a_server_becomes_the_program(self):
        program = self.root / "not_served"
        program.symlink_to(RKB_CASES)
        result = run(RKB_FORK_CLIENT, str(program), f"--manifest={self.manifest}",
                     f"--gtest_filter={self.names['honest'][0]}")
        self.assertEqual(result.returncode, 0, result.stdout + result.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
