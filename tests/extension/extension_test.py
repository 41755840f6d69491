"""A kernel returns the same bits through the shim as from torch.utils.cpp_extension in Python.

Both are built from the same source.

usage: extension_test.py WRITE_RESULTS BUILD_RECORD SOURCE CXX

Exits with 77 (skipped) if torch cannot be imported or cannot build extensions, or if the kernel
cannot run.
"""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import sysconfig
import tempfile


def skip(reason):
    print(f"skipped: {reason}")
    sys.exit(77)


try:
    import torch
except (ImportError, OSError) as error:
    skip(f"this Python cannot import torch ({error})")

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tasks"))
from tensor_reader import TensorReader

# Torch's build has options of its own for these, including the language of the headers.
TORCHS_OWN = ("-I", "-D", "-std=", "-Xcompiler")


def require_tools(cxx, cuda):
    if shutil.which("ninja") is None:
        skip("torch builds extensions with ninja, which is not here")
    if shutil.which(cxx) is None:
        skip(f"no C++ compiler {cxx}")
    header = pathlib.Path(sysconfig.get_paths()["include"]) / "Python.h"
    if not header.exists():
        skip(f"{header} is not here (the headers of this Python)")
    if cuda and not torch.cuda.is_available():
        skip("this Python's torch has no GPU")


def written_results(program, record, directory):
    run = subprocess.run([program, record, directory])
    if run.returncode != 0:
        sys.exit(run.returncode)  # its output has the reason
    directory = pathlib.Path(directory)
    return json.loads((directory / "cases.json").read_text()), TensorReader(directory)


def build(source, flags, directory):
    from torch.utils import cpp_extension

    flags = [flag for flag in flags if not flag.startswith(TORCHS_OWN)]
    cuda = source.suffix == ".cu"
    return cpp_extension.load(
        name="extension",
        sources=[str(source)],
        extra_cflags=[] if cuda else flags,
        extra_cuda_cflags=flags if cuda else [],
        build_directory=directory,
    )


def difference(actual, expected, stride):
    facts = (actual.dtype, list(actual.shape), list(actual.stride()))
    expected_facts = (expected.dtype, list(expected.shape), stride)
    if facts != expected_facts:
        return f"torch has {facts}, the shim {expected_facts}"
    bits = [one.cpu().contiguous().flatten().view(torch.uint8) for one in (actual, expected)]
    if torch.equal(*bits):
        return None
    differing = (bits[0] != bits[1]).view(actual.numel(), -1).any(dim=1).sum()
    distance = (actual.cpu().double() - expected.double()).abs().max()
    return f"{differing} of {actual.numel()} elements differ, by {distance} at most"


def main(program, record, source, cxx):
    source = pathlib.Path(source)
    require_tools(cxx, source.suffix == ".cu")
    os.environ["CXX"] = cxx
    torch.set_num_threads(1)
    with tempfile.TemporaryDirectory() as directory:
        written, tensors = written_results(program, record, directory)
        module = build(source, written["flags"], directory)
    device = "cuda" if source.suffix == ".cu" else "cpu"
    compared = failures = 0
    for case in written["cases"]:
        arguments = [tensors.read(one).to(device) for one in case["arguments"]]
        actual = module.forward(*arguments)
        if len(actual) != len(case["results"]):
            sys.exit(f"torch has {len(actual)} results, the shim {len(case['results'])}")
        for index, (tensor, description) in enumerate(zip(actual, case["results"])):
            problem = difference(tensor, tensors.read(description), description["stride"])
            compared += 1
            if problem:
                print(f"{case['name']}: result {index}: {problem}")
                failures += 1
    print(f"{compared} tensors, {failures} differences")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
