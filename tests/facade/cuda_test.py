"""The facade compiles in a .cu file, without a warning. Skipped (77) where there is no nvcc.

usage: cuda_test.py NVCC INCLUDE_DIRECTORY SOURCE
"""

import os
import subprocess
import sys

# As torch compiles extensions: its own 16-bit floats, not CUDA's operators on theirs.
DEFINITIONS = [
    "-D__CUDA_NO_HALF_OPERATORS__",
    "-D__CUDA_NO_HALF_CONVERSIONS__",
    "-D__CUDA_NO_BFLOAT16_CONVERSIONS__",
    "-D__CUDA_NO_HALF2_OPERATORS__",
]


def main():
    nvcc, include, source = sys.argv[1:]
    if not os.access(nvcc, os.X_OK):
        print("skipped: no nvcc here (install a CUDA toolkit)")
        sys.exit(77)
    run = subprocess.run(
        [nvcc, "-std=c++17", "-O1", "-arch=sm_90", "-Xcompiler", "-fPIC,-Wall",
         *DEFINITIONS, f"-I{include}", "-c", source, "-o", os.devnull],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )
    if run.returncode != 0 or run.stdout.strip():
        sys.exit(f"exit {run.returncode}:\n{run.stdout}")
    print("compiled")


main()
