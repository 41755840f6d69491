"""Every kernel of the build compiles, with shim headers.

usage: not_shipped_test.py MANIFEST
"""

import json
import pathlib
import sys


def main():
    kernels = json.loads(pathlib.Path(sys.argv[1]).read_text())["kernels"]
    compiled = 0
    for kernel in kernels:
        record = pathlib.Path(kernel["record"])
        if kernel["device"] == "cuda" and not record.exists():
            continue  # there is no nvcc
        build = json.loads(record.read_text())
        if build["verdict"] != "pass":
            sys.exit(f"{record}: {build['verdict']}: {build['reason']}")
        if build["headers"] != "shim":
            sys.exit(f"{record}: compiled with headers '{build['headers']}', expected 'shim'")
        compiled += 1
    if compiled == 0:
        sys.exit("the build has no kernel that was compiled")
    print(f"{compiled} kernels with shim headers")


main()
