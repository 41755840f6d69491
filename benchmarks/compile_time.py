#!/usr/bin/env python3
"""How long each CPU kernel takes to compile with the slim headers and with torch's own.

The same sources, flags and compiler, in turns in the same run; link excluded. Each figure is the
least of the rounds, in CPU seconds (user + system), so that a busy machine hurts little.

usage: compile_time.py [--python PYTHON] [--rounds N] [--json FILE] [KERNEL...]
"""

import argparse
import json
import math
import os
import pathlib
import platform
import resource
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
FLAGS = ["-std=c++17", "-O3", "-march=native", "-fopenmp", "-fPIC", "-fvisibility=hidden",
         "-DTORCH_EXTENSION_NAME=kernel"]
# Asked of the Python whose torch is compared with; torch is found, not imported.
FIND_INCLUDES = """
import importlib.util, pathlib, sysconfig
spec = importlib.util.find_spec("torch")
root = pathlib.Path(spec.submodule_search_locations[0]) / "include" if spec else ""
print(root)
print(sysconfig.get_path("include"))
"""


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    venv = ROOT / ".venv/bin/python"
    parser.add_argument("--python", default=str(venv if venv.exists() else sys.executable),
                        help="Python that has torch and Python.h (default: %(default)s)")
    parser.add_argument("--compiler", default=os.environ.get("CXX", "g++"))
    parser.add_argument("--rounds", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("kernels", nargs="*", type=pathlib.Path, metavar="KERNEL",
                        help="sources (default: all of kernels/)")
    return parser.parse_args()


def torch_includes(python):
    output = subprocess.run([python, "-c", FIND_INCLUDES], check=True, stdout=subprocess.PIPE,
                            text=True).stdout.splitlines()
    torch, headers = output[0], output[1]
    if not torch:
        sys.exit(f"compile_time.py: {python} has no torch; name one that has by --python")
    if not (pathlib.Path(headers) / "Python.h").exists():
        sys.exit(f"compile_time.py: {headers}/Python.h is missing, which torch/extension.h needs; "
                 "apt-get install python3-dev, or name another by --python")
    return [f"-isystem{torch}", f"-isystem{torch}/torch/csrc/api/include", f"-isystem{headers}",
            "-DTORCH_API_INCLUDE_EXTENSION_H"]


def compile_seconds(compiler, source, includes, output):
    """CPU and wall seconds of one compilation; exits where it fails."""
    command = [compiler, *FLAGS, *includes, "-c", str(source), "-o", output]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        sys.exit(f"compile_time.py: {' '.join(command)} failed:\n{run.stderr}")
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return {"cpu": cpu, "wall": wall}


def measure(arguments, source, header_sets, output):
    least = {}
    for _ in range(arguments.rounds):
        for headers, includes in header_sets.items():
            seconds = compile_seconds(arguments.compiler, source, includes, output)
            if headers not in least or seconds["cpu"] < least[headers]["cpu"]:
                least[headers] = seconds
    return least


def main():
    arguments = parse_arguments()
    sources = arguments.kernels or sorted((ROOT / "kernels").glob("*/*/*.cpp"))
    header_sets = {
        "slim": [f"-I{ROOT / 'harness/include/kernel'}"],
        "torch": torch_includes(arguments.python),
    }
    rows = []
    print(f"{'kernel':<48} {'slim s':>8} {'torch s':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory(prefix="rkb_compile_time_") as directory:
        output = os.path.join(directory, "kernel.o")
        for source in sources:
            least = measure(arguments, source, header_sets, output)
            path = source.resolve()
            name = str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
            ratio = least["torch"]["cpu"] / least["slim"]["cpu"]
            rows.append({"kernel": name, "ratio": ratio,
                         **{f"{headers}_{kind}_seconds": value
                            for headers, seconds in least.items()
                            for kind, value in seconds.items()}})
            print(f"{name:<48} {least['slim']['cpu']:8.2f} {least['torch']['cpu']:8.2f} "
                  f"{ratio:6.1f}", flush=True)
    mean = math.exp(sum(math.log(row["ratio"]) for row in rows) / len(rows))
    print(f"{'geometric mean':<48} {'':8} {'':8} {mean:6.1f}")
    if arguments.json:
        compiler = subprocess.run([arguments.compiler, "--version"], stdout=subprocess.PIPE,
                                  text=True).stdout.splitlines()[0]
        report = {"compiler": compiler, "flags": FLAGS, "rounds": arguments.rounds,
                  "machine": platform.machine(), "cores": os.cpu_count(),
                  "kernels": rows, "geometric_mean_ratio": mean}
        pathlib.Path(arguments.json).write_text(json.dumps(report, indent=2) + "\n")


main()
