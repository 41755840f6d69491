"""Compares each tasks/<task>/reference.py, bit for bit, with the float32 result of task.cpp.

usage: reference_py_test.py WRITE_REFERENCES TASKS_DIRECTORY

Exits with 77 (skipped) if torch cannot be imported. The programs of the suite need only its
libraries, so a Python without torch's own dependencies is a common and sound setting.
"""

import importlib.util
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import torch
except (ImportError, OSError) as error:
    print(f"skipped: this Python cannot import torch ({error})")
    sys.exit(77)

from tensor_reader import TensorReader


def load(tasks, name):
    spec = importlib.util.spec_from_file_location(name, tasks / name / "reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def argument_of(tensors, description):
    if "tensor" in description:
        return tensors.read(description["tensor"])
    if "tuple" in description:
        return tuple(tensors.read(one) for one in description["tuple"])
    return description["value"]


def same_bits(a, b):
    return a.shape == b.shape and torch.equal(
        a.contiguous().view(torch.int32), b.contiguous().view(torch.int32)
    )


def main(program, tasks):
    torch.set_num_threads(1)  # sums are split by thread
    with tempfile.TemporaryDirectory() as directory:
        subprocess.run([program, directory], check=True)
        directory = pathlib.Path(directory)
        cases = json.loads((directory / "cases.json").read_text())
        tensors = TensorReader(directory)
    modules = {name: load(tasks, name) for name in sorted({case["task"] for case in cases})}
    failures = 0
    for case in cases:
        function = getattr(modules[case["task"]], case["direction"])
        arguments = [argument_of(tensors, one) for one in case["arguments"]]
        actual = function(*arguments)
        actual = list(actual) if isinstance(actual, (tuple, list)) else [actual]
        expected = [tensors.read(one) for one in case["results"]]
        if len(actual) != len(expected):
            print(f"{case['name']}: {len(actual)} results, task.cpp has {len(expected)}")
            failures += 1
            continue
        for index, (a, b) in enumerate(zip(actual, expected)):
            if not same_bits(a, b):
                distance = (a - b).abs().max().item() if a.shape == b.shape else "shape"
                print(f"{case['name']}: result {index} differs by {distance}")
                failures += 1
    print(f"{len(cases)} cases, {failures} differences")
    return 1 if failures or not cases else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], pathlib.Path(sys.argv[2])))
