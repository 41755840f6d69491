"""Treats each solution as its text says, and answers as the importer does."""

import argparse
import json
import os
import pathlib
import time

KERNEL = """#include <torch/extension.h>
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {}
"""


def read(path, out):
    text = path.read_text().strip()
    if text == "refuse":
        return {"refused": {"reason": "it is written in Triton", "remedy": "write CUDA"}}
    if text == "hang":
        time.sleep(1000)
    if text == "exit":
        os._exit(3)
    target = out / path.stem
    target.mkdir(parents=True)
    names = [path.stem + ".cpp", "module.cpp"]
    for name in names:
        (target / name).write_text(KERNEL)
    if text == "malformed":
        return {"files": names}
    return {"files": names, "glue": text, "options": ["-DWIDTH=4"], "libraries": ["-lm"]}


parser = argparse.ArgumentParser()
for option in ("--package", "--out"):
    parser.add_argument(option, type=pathlib.Path, required=True)
parser.add_argument("problem", type=pathlib.Path)
parser.add_argument("solution", nargs="+", type=pathlib.Path)
given = parser.parse_args()
assert given.package.exists() and given.problem.exists()
for solution in given.solution:
    print("a source may print this", flush=True)
    print(json.dumps({"source": str(solution), **read(solution, given.out)}), flush=True)
