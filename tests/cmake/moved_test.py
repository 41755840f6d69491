"""An installation works after it was moved, and tells what to do where torch is missing.

usage: moved_test.py CMAKE BUILD SCRATCH KERNEL, a right kernel of mnist_linear
"""

import json
import pathlib
import shutil
import subprocess
import sys

cmake, build, scratch, kernel = sys.argv[1:]
scratch = pathlib.Path(scratch)
shutil.rmtree(scratch, ignore_errors=True)
# The scratch directory is in the build, whose path the installation must not know.
installed, moved = scratch / "installed", scratch / "moved"
subprocess.run([cmake, "--install", build, "--prefix", installed], check=True,
               stdout=subprocess.DEVNULL)
installed.rename(moved)
RKB, RKB_TORCH = moved / "bin/rkb", moved / "bin/rkb_torch"
LINKS = moved / "lib/robust_kbench"


def run(*command, fails=False):
    """Returns what a command prints. It must fail with the code of wrong usage, or not at all."""
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                            check=False)
    assert result.returncode == (2 if fails else 0), (command, result)
    return result.stderr if fails else result.stdout


manifest_text = (moved / "share/robust_kbench/manifest.json").read_text()
for place in (build, str(pathlib.Path(kernel).parents[3])):
    assert place not in manifest_text, manifest_text
records = json.loads(run(
    RKB, "evaluate", "--task", "mnist_linear", "--no-bench", "--scope", "quick", "--json", "-",
    "--config", "batch_size=1,num_input_features=5,num_output_features=3", kernel))
assert records["kernels"][0]["verdict"] == "pass", records
assert str(moved) in run(RKB, "doctor")

# An installation without nvcc says what to do there, and nothing of a build.
manifest = moved / "share/robust_kbench/manifest.json"
without_nvcc = json.loads(manifest.read_text())
assert without_nvcc["toolchain"]["nvcc"] == "nvcc", without_nvcc["toolchain"]
without_nvcc["toolchain"]["nvcc"] = "no_such_nvcc"
manifest.write_text(json.dumps(without_nvcc))
told = run(RKB, "doctor")
line = next(line for line in told.splitlines() if line.startswith("nvcc "))
assert "none: CUDA kernels are not compiled; install the CUDA toolkit, and have it in PATH" in line, told
assert "cmake" not in line, told

torch = (LINKS / "torch").resolve()
(LINKS / "torch").unlink()
assert "rkb_torch PYTHON" in run(RKB, "list", fails=True)
other = scratch / "other"
(other / "lib").mkdir(parents=True)
(other / "lib/libtorch_cpu.so").touch()
(other / "version.py").write_text("__version__ = '1.0.0'\n")
assert "is 1.0.0" in run(RKB_TORCH, other, fails=True)
assert not (LINKS / "torch").exists()
assert str(torch) in run(RKB_TORCH, torch)
assert "mnist_linear" in run(RKB, "list")
