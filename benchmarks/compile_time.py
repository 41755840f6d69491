#!/usr/bin/env python3
"""Measures how long kernels take to compile: in the suite's way, and with torch's own headers.

Both use the same sources, flags and compilers, in turns in the same run. Figures are wall seconds,
each the least of the rounds. The first of ours is the record of `rkb compile --no-cache`, with the
link. The second is the time of a first verdict (`--quick`). The third is the second with a compile
cache. Torch's is its compiler alone, without a link. Names the kernels that torch's headers cannot
compile here.

With --brought-along it measures the cost of headers of the standard library, the system and CUDA
that torch/extension.h includes. Those figures are the CPU seconds of the compiler, on an empty
kernel.

usage: compile_time.py [--rkb RKB] [--python PYTHON] [--rounds N] [--shim-only] [--brought-along]
                       [--json FILE] [KERNEL...]
"""

import argparse
import datetime
import json
import math
import os
import pathlib
import platform
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
# Options that only affect our own headers.
OUR_DEFINITIONS = ("-DRKB_", "-D_GLIBCXX_BITS_SPECFUN_H", "-DTORCH_EXTENSION_NAME")
# The headers that harness/compile/standard_library.cpp includes by itself, by their purpose.
BROUGHT_ALONG = {
    "cassert, cfloat, climits, cstring, limits: the shim has them": [
        "cassert", "cfloat", "climits", "cstring", "limits"],
    "map, set, unordered_map, list, deque, queue": [
        "map", "set", "unordered_map", "unordered_set", "list", "deque", "queue"],
    "memory": ["memory"],
    "functional": ["functional"],
    "numeric, iterator, random": ["numeric", "iterator", "random"],
    "iostream, sstream, iomanip, fstream": ["iostream", "sstream", "iomanip", "fstream"],
    "mutex, thread, atomic, chrono, future": ["mutex", "thread", "atomic", "chrono", "future"],
    "variant, any, string_view": ["variant", "any", "string_view"],
    "complex, valarray": ["complex", "valarray"],
    "immintrin.h": ["immintrin.h"],
    "omp.h, unistd.h": ["omp.h", "unistd.h"],
    "cuda_fp16.h, cuda_bf16.h": ["cuda_fp16.h", "cuda_bf16.h"],
    "all of them, where the text hides a name": ["robust_kbench/standard_library.h"],
}
EMPTY_KERNEL = """#include <torch/extension.h>
torch::Tensor forward(torch::Tensor x) { return x; }
PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) { m.def("forward", &forward); }
"""
# Run by the Python whose torch is compared; torch is found, not imported.
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
    parser.add_argument("--rkb", type=pathlib.Path, default=ROOT / "build/robust/bin/rkb",
                        help="default: %(default)s")
    parser.add_argument("--python", default=str(venv if venv.exists() else sys.executable),
                        help="Python that has torch and Python.h (default: %(default)s)")
    parser.add_argument("--rounds", type=int, default=1, help="default: %(default)s")
    parser.add_argument("--shim-only", action="store_true", help="do not compare with torch's")
    parser.add_argument("--brought-along", action="store_true",
                        help="what headers cost that torch/extension.h brings along")
    parser.add_argument("--json", metavar="FILE", help="also write the figures there")
    parser.add_argument("kernels", nargs="*", type=pathlib.Path, metavar="KERNEL",
                        help="sources (default: all of kernels/, .cu where there is nvcc)")
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
    return ["-isystem", torch, "-isystem", f"{torch}/torch/csrc/api/include", "-isystem", headers,
            "-DTORCH_API_INCLUDE_EXTENSION_H", "-DTORCH_EXTENSION_NAME=kernel"]


def compile_ours(rkb, source, directory, *options):
    """The kernel's record; None where this machine cannot compile it."""
    record_file = os.path.join(directory, "record.json")
    run = subprocess.run([rkb, "compile", *options, "--json", record_file, source],
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                         env={**os.environ, "RKB_CACHE": os.path.join(directory, "cache")})
    if run.returncode == 77:
        return None
    if run.returncode != 0:
        sys.exit(f"compile_time.py: rkb compile {source} exited with {run.returncode}:\n{run.stdout}")
    return json.loads(pathlib.Path(record_file).read_text())["kernels"][0]


def compile_with_torch(record, source, includes, directory):
    """Wall seconds, or the compiler's first error."""
    compiler = record["compiler"].split(": ", 1)[0]
    shim = next(flag for flag in record["flags"] if flag.startswith("-I"))
    flags = [flag for flag in record["flags"]
             if flag != shim and not flag.startswith(OUR_DEFINITIONS)]
    command = [compiler, *flags, *includes, "-c", str(source),
               "-o", os.path.join(directory, "kernel.o")]
    start = time.monotonic()
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    wall = time.monotonic() - start
    if run.returncode == 0:
        return wall
    errors = [line for line in run.stderr.splitlines() if "error" in line]
    return errors[0] if errors else f"exit {run.returncode}"


def measure(arguments, source, includes, directory):
    """Seconds by kind of compilation, and the record of one kernel. Torch's may be an error
    instead."""
    least, torch, record = {}, math.inf, None

    def take(what, *options):
        taken = compile_ours(arguments.rkb, source, directory, *options)
        if taken is not None and (what != "again" or taken["cached"]):
            least[what] = min(least.get(what, math.inf), taken["compile_seconds"])
        return taken

    for _ in range(arguments.rounds):
        record = take("shim", "--no-cache")
        if record is None:
            return None, None, None
        take("quick", "--quick", "--no-cache")
        if shutil.which("ccache") and not take("again")["cached"]:
            take("again")
        if includes and not isinstance(torch, str):
            seconds = compile_with_torch(record, source, includes, directory)
            torch = seconds if isinstance(seconds, str) else min(torch, seconds)
    return least, torch if includes else None, record


def row_of(path, least, torch, record):
    name = str(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path)
    ours = least["shim"]
    row = {"kernel": name, "flags": record["flags"], "compiler": record["compiler"]}
    row.update({f"{what}_seconds": seconds for what, seconds in least.items()})
    compared = f"{'-':>8} {'-':>6}"
    if isinstance(torch, str):
        row["torch_error"] = torch
        compared += f"  torch's headers: {torch}"
    elif torch is not None:
        row.update(torch_seconds=torch, ratio=torch / ours)
        compared = f"{torch:8.2f} {row['ratio']:6.1f}"
    again = f"{least['again']:8.2f}" if "again" in least else f"{'-':>8}"
    print(f"{name:<52} {ours:8.2f} {least['quick']:8.2f} {again} {compared}", flush=True)
    return row


def print_medians(rows):
    medians = {}
    for suffix in (".cpp", ".cu"):
        for what in ("shim", "quick", "again"):
            key = f"{what}_seconds"
            seconds = [row[key] for row in rows if row["kernel"].endswith(suffix) and key in row]
            if seconds:
                medians[f"{what} {suffix}"] = statistics.median(seconds)
                print(f"p50 of {len(seconds)} {suffix} kernels, {what}: "
                      f"{statistics.median(seconds):.2f} s, {min(seconds):.2f} to "
                      f"{max(seconds):.2f} s")
    ratios = [row["ratio"] for row in rows if "ratio" in row]
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"torch's headers take {mean:.1f} times as long (geometric mean of {len(ratios)}, "
              f"{min(ratios):.1f} to {max(ratios):.1f})")
    return medians


def cpu_seconds(command):
    """The CPU seconds of the command and its children; exits if it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    run = subprocess.run(command, stderr=subprocess.PIPE, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if run.returncode != 0:
        sys.exit(f"compile_time.py: {' '.join(command)} exited with {run.returncode}:\n{run.stderr}")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def cost_of_headers(arguments, suffix, directory):
    """CPU seconds of an empty kernel, and the additional ones of each group of headers; None
    without nvcc."""
    source = pathlib.Path(directory) / f"empty{suffix}"
    source.write_text(EMPTY_KERNEL)
    record = compile_ours(arguments.rkb, source, directory, "--no-cache")
    if record is None:
        return None
    command = [record["compiler"].split(": ", 1)[0], *record["flags"], "-c", str(source),
               "-o", os.path.join(directory, "kernel.o")]

    def least(headers):
        options = [word for header in headers for word in ("-include", header)]
        return min(cpu_seconds([*command, *options]) for _ in range(arguments.rounds))

    empty = least([])
    costs = {"an empty kernel": empty}
    for what, headers in BROUGHT_ALONG.items():
        if suffix == ".cu" or "cuda_fp16.h" not in headers:
            costs[what] = max(least(headers) - empty, 0)
    return costs


def report_brought_along(arguments):
    with tempfile.TemporaryDirectory(prefix="rkb_compile_time_") as directory:
        costs = {suffix: cost_of_headers(arguments, suffix, directory) or {}
                 for suffix in (".cpp", ".cu")}
    rows = [[what, *(f"{costs[suffix][what]:.2f} s" if what in costs[suffix] else "-"
                     for suffix in costs)] for what in ["an empty kernel", *BROUGHT_ALONG]]
    for row in rows:
        print(f"{row[0]:<64} {row[1]:>8} {row[2]:>8}")
    if arguments.json:
        report = {"machine": f"{os.cpu_count()} cores, {platform.machine()}",
                  "command": "benchmarks/compile_time.py --brought-along",
                  "date": datetime.date.today().isoformat(),
                  "tables": {"headers": {"columns": ["headers", ".cpp", ".cu"], "rows": rows}}}
        pathlib.Path(arguments.json).write_text(json.dumps(report, indent=1) + "\n")


def main():
    arguments = parse_arguments()
    if not os.access(arguments.rkb, os.X_OK):
        sys.exit(f"compile_time.py: {arguments.rkb} is missing; build the target rkb, "
                 "or name another by --rkb")
    if arguments.brought_along:
        report_brought_along(arguments)
        return
    sources = arguments.kernels or sorted(ROOT.glob("kernels/*/*/*.cpp")) + sorted(
        ROOT.glob("kernels/*/*/*.cu"))
    includes = [] if arguments.shim_only else torch_includes(arguments.python)
    rows = []
    print(f"{'kernel':<52} {'shim s':>8} {'quick s':>8} {'again s':>8} {'torch s':>8} {'ratio':>6}")
    with tempfile.TemporaryDirectory(prefix="rkb_compile_time_") as directory:
        for source in sources:
            path = source.resolve()
            least, torch, record = measure(arguments, path, includes, directory)
            if record is None:
                print(f"{path.name}: skipped, no nvcc here")
                continue
            rows.append(row_of(path, least, torch, record))
    medians = print_medians(rows)
    if arguments.json:
        report = {"rounds": arguments.rounds, "machine": platform.machine(),
                  "cores": os.cpu_count(), "kernels": rows, "p50_seconds": medians}
        pathlib.Path(arguments.json).write_text(json.dumps(report, indent=2) + "\n")


main()
