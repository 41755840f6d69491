#!/usr/bin/env python3
"""Makes the torch.compile packages that `rkb_bench --against compile` times.

Each config of each entry becomes one AOTInductor package (.pt2), which the harness loads from C++.
A package is made again when the task's reference.py, its arguments, this script or torch change.

This needs a Python that can import torch, which is more than LibTorch needs: torch's CUDA build
links libraries that a CPU never calls. Either of these does:

  python3 -m venv venv && venv/bin/pip install torch==2.11.0            (4 GB)

or, with CUDA 13.0 and the torch that bootstrap.sh has installed into .venv:

  .venv/bin/pip install --no-deps nvidia-cusparselt-cu13==0.8.0 nvidia-nvshmem-cu13==3.4.5 \\
      nvidia-cufile nvidia-cudnn-cu13==9.19.0.56 nvidia-nccl-cu13==2.28.9
  .venv/bin/pip install filelock typing-extensions sympy networkx jinja2 fsspec numpy
  nvidia=$(echo .venv/lib/python3*/site-packages/nvidia/*/lib | tr ' ' ':')
  export LD_LIBRARY_PATH=/usr/local/cuda-13.0/lib64:$nvidia

The packages must be made by the torch version that the harness links.
"""

import argparse
import concurrent.futures
import ctypes
import hashlib
import importlib.util
import json
import multiprocessing
import multiprocessing.forkserver
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time
import unittest.mock

# Every package needs these, and they take as long to import as a small package takes to make.
PRELOADED = ["torch", "torch.export", "torch._inductor.compile_fx", "torch._inductor.package"]


def parse_arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--rkb-bench", help="the program rkb_bench of the build")
    source.add_argument(
        "--requests",
        help="what `rkb_bench --package-requests` has written, with its own device and configs; "
        "from /dev/stdin, torch is imported while nothing comes yet",
    )
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument(
        "--configs",
        choices=["single", "multi", "small"],
        help="default: small on cpu, single on cuda",
    )
    parser.add_argument("--filter", default="", help="only <task>.<direction>.<config> that match")
    parser.add_argument(
        "--first", action="store_true", help="only the first config of each entry that matches"
    )
    parser.add_argument("--jobs", type=int, default=1, help="packages made at the same time")
    arguments = parser.parse_args()
    arguments.configs = arguments.configs or ("small" if arguments.device == "cpu" else "single")
    return arguments


def ask_for_requests(arguments):
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "requests.json"
        subprocess.run(
            [arguments.rkb_bench, "--device", arguments.device]
            + ["--configs", arguments.configs, "--package-requests", path],
            check=True,
        )
        return path.read_text()


def read_requests(arguments):
    if arguments.requests:
        text = pathlib.Path(arguments.requests).read_text()
    else:
        text = ask_for_requests(arguments)
    seen = set()
    for request in json.loads(text):
        if not re.search(arguments.filter, f"{request['entry']}.{request['config']}"):
            continue
        if arguments.first and request["entry"] in seen:
            continue
        seen.add(request["entry"])
        yield request


def content_key(request, torch_version):
    """A hash of everything that the package depends on."""
    digest = hashlib.sha256()
    for text in (
        pathlib.Path(__file__).read_text(),
        pathlib.Path(request["reference"]).read_text(),
        json.dumps(request, sort_keys=True),
        torch_version,
    ):
        digest.update(text.encode() + b"\0")
    return digest.hexdigest()


def load_function(request):
    spec = importlib.util.spec_from_file_location("reference", request["reference"])
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, request["direction"])


def arguments_in_kernel_order(request, tensors):
    for argument in request["arguments"]:
        if "tensor" in argument:
            yield tensors[argument["tensor"]]
        elif "tensors" in argument:
            yield tuple(tensors[name] for name in argument["tensors"])
        else:
            yield argument["value"]


def assert_close(actual, expected):
    import torch

    # Two algorithms of a convolution differ by 2e-4: where memory is short, torch takes another.
    atol, rtol = 1e-4, 1e-3
    if expected.element_size() == 2:
        # A graph that is compiled as a whole rounds fewer intermediates.
        atol, rtol = 1e-2, 2e-2
    torch.testing.assert_close(actual, expected, atol=atol, rtol=rtol)


def make_package(request, path):
    import torch
    from torch.fx.experimental.proxy_tensor import make_fx

    function = load_function(request)
    present = [tensor for tensor in request["tensors"] if tensor["shape"] is not None]
    absent = {tensor["name"]: None for tensor in request["tensors"] if tensor["shape"] is None}

    def run(*values):
        tensors = absent | dict(zip((tensor["name"] for tensor in present), values))
        return function(*arguments_in_kernel_order(request, tensors))

    def example(tensor):
        dtype = getattr(torch, tensor["dtype"])
        make = torch.rand if dtype.is_floating_point else torch.zeros
        return make(tensor["shape"], dtype=dtype, device=request["device"])

    examples = tuple(example(tensor) for tensor in present)
    # Tracing first turns autograd's calls, which torch.export refuses, into plain operators.
    graph = make_fx(run)(*examples)
    # libtorch.so loads the CUDA libraries; the harness and torch here have libtorch_cpu loaded.
    unlinked = torch._inductor.config.patch({"aot_inductor.link_libtorch": False})
    # Torch would try the compiler on each vector extension that this CPU lists, under a lock that
    # holds up all other packages for 25 s.
    vector_isa = torch._inductor.cpu_vec_isa.VecISA
    untried = unittest.mock.patch.object(vector_isa, "check_build", return_value=True)
    with torch.no_grad(), unlinked, untried:
        exported = torch.export.export(graph, examples)
        torch._inductor.aoti_compile_and_package(exported, package_path=str(path))
        package = torch._inductor.aoti_load_package(str(path))
        actual = package(*examples)
    expected = run(*examples)
    actual = actual if isinstance(actual, (list, tuple)) else (actual,)
    expected = expected if isinstance(expected, (list, tuple)) else (expected,)
    for made, wanted in zip(actual, expected, strict=True):
        assert_close(made, wanted)


def load_torch():
    """Loads torch into the symbols of the whole process, where packages look for them."""
    import torch

    libraries = pathlib.Path(torch.__file__).parent / "lib"
    for name in ("libtorch_cpu.so", "libtorch_cuda.so"):
        if (libraries / name).exists():
            ctypes.CDLL(str(libraries / name), mode=ctypes.RTLD_GLOBAL)
    return torch


def make_if_changed(request):
    """Makes a package unless it is current. Returns one line to print, with the time that it took,
    or empty."""
    key = content_key(request, load_torch().__version__)
    package = pathlib.Path(request["package"])
    key_file = package.with_name(package.name + ".key")
    if package.exists() and key_file.exists() and key_file.read_text() == key:
        return ""
    start = time.monotonic()
    package.parent.mkdir(parents=True, exist_ok=True)
    unfinished = package.with_name("unfinished." + package.name)
    make_package(request, unfinished)
    unfinished.replace(package)
    key_file.write_text(key)
    return f"{request['entry']}.{request['config']}: {time.monotonic() - start:.1f} s"


def start_forkserver(arguments):
    """Returns a context that makes a process for each package, and begins to import its modules."""
    if arguments.jobs > 1:
        # Otherwise torch starts one process per core for each package.
        os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    # A process that forks must not have initialized CUDA, not even to see whether there is a GPU.
    os.environ.setdefault("PYTORCH_NVML_BASED_CUDA_CHECK", "1")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(PRELOADED)
    multiprocessing.forkserver.ensure_running()
    return context


def main():
    arguments = parse_arguments()
    context = start_forkserver(arguments)
    try:
        load_torch()
    except (ImportError, OSError) as error:
        sys.exit(f"{sys.executable} cannot import torch: {error}\nSee {__file__} --help.")
    requests = list(read_requests(arguments))
    made = 0
    with concurrent.futures.ProcessPoolExecutor(arguments.jobs, mp_context=context) as pool:
        for line in pool.map(make_if_changed, requests):
            if line:
                made += 1
                print(line, flush=True)
    print(f"{made} packages made, {len(requests) - made} kept")


if __name__ == "__main__":
    main()
