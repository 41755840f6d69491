"""A kernel that needs a feature which the shim lacks fails to compile with one plain message.

usage: unsupported_test.py COMPILER INCLUDE_DIRECTORY BROKEN_DIRECTORY
"""

import pathlib
import subprocess
import sys

MESSAGES = {
    "attribute.cpp": "m.attr is not supported",
    "torch_library.cpp": "TORCH_LIBRARY is not supported",
}


def main():
    compiler, include, broken = sys.argv[1:]
    for name, message in MESSAGES.items():
        source = pathlib.Path(broken) / name
        run = subprocess.run(
            [compiler, "-std=c++17", "-fsyntax-only", f"-I{include}", source],
            stderr=subprocess.PIPE,
            text=True,
        )
        errors = [line for line in run.stderr.splitlines() if "error: " in line]
        if run.returncode == 0 or len(errors) != 1 or message not in errors[0]:
            sys.exit(f"{name}: expected the one error '{message}', got:\n{run.stderr}")
    print(f"{len(MESSAGES)} unsupported constructs are named")


main()
