"""Runs a test where no CUDA toolkit can be found, whatever the machine has.

usage: without_cuda.py MANIFEST COMMAND...

The command gets the manifest as a build without nvcc writes it, by ROBUST_KBENCH_MANIFEST, and a PATH
without the toolkit's programs.
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile

VARIABLES = ("CUDACXX", "CUDA_HOME", "CUDA_PATH", "NVCC_PREPEND_FLAGS", "NVCC_APPEND_FLAGS")
PROGRAMS = ("nvcc", "ptxas", "cuobjdump", "nvdisasm", "compute-sanitizer", "ncu", "nsys")


def manifest_without_cuda(path, directory):
    manifest = json.loads(path.read_text())
    manifest["toolchain"]["nvcc"] = ""
    for kernel in manifest["kernels"]:
        if kernel["device"] == "cuda":
            kernel["record"] = str(directory / "not_built.json")
            kernel["library"] = str(directory / "not_built.so")
    return json.dumps(manifest)


def has_toolkit(directory):
    return any((directory / program).exists() for program in PROGRAMS)


def copy_without_toolkit(source, copy):
    """Links to everything else in the directory."""
    copy.mkdir()
    for program in source.iterdir():
        if program.name not in PROGRAMS:
            (copy / program.name).symlink_to(program)
    return copy


def path_without_cuda(path, directory):
    places = [pathlib.Path(place) for place in path.split(os.pathsep)]
    return os.pathsep.join(
        str(copy_without_toolkit(place, directory / f"bin{i}") if has_toolkit(place) else place)
        for i, place in enumerate(places))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    with tempfile.TemporaryDirectory() as name:
        directory = pathlib.Path(name)
        manifest = directory / "manifest.json"
        manifest.write_text(manifest_without_cuda(pathlib.Path(sys.argv[1]), directory))
        environment = {key: value for key, value in os.environ.items() if key not in VARIABLES}
        environment["ROBUST_KBENCH_MANIFEST"] = str(manifest)
        environment["PATH"] = path_without_cuda(os.environ["PATH"], directory)
        sys.exit(subprocess.run(sys.argv[2:], env=environment, check=False).returncode)


if __name__ == "__main__":
    main()
