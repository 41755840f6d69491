"""Makes torch.compile packages (AOTInductor) of imported tasks: python -m importer.torch_compile FILE

FILE is a JSON list of requests, each with

  package     the imported task, as docs/packages.md describes it
  direction   forward or backward
  params      of the config
  tensors     names of the call's tensors, in the order that a baseline is called with
  device      cpu or cuda
  threads     that it uses on a CPU
  torch       the version that loads it
  out         where the .pt2 goes

Prints one line of JSON for each: how long it took, or why there is none and what helps. No source
is executed, as a task's graph is all that it takes.
"""

import contextlib
import ctypes
import importlib.metadata
import importlib.util
import json
import logging
import os
import pathlib
import sys
import tempfile
import time
import traceback
import unittest.mock
import warnings
import zipfile

from . import cuda_libraries
from .refusal import Refusal, one_line

# The root mean square of the difference from eager mode, relative to the result. A graph that is
# compiled as a whole adds up in another order, and rounds fewer intermediates.
MOST_DIFFERENCE = {"torch.float16": 1e-2, "torch.bfloat16": 5e-2}
USUAL_DIFFERENCE = 1e-3
# Precompiling torch's headers takes 9 s of a CPU, and saves 2 s for each package.
LEAST_PACKAGES_TO_PRECOMPILE = 5


def load_torch():
    """Loads torch into the symbols of the whole process, where packages look for them."""
    cuda_libraries.preload()
    import torch
    libraries = pathlib.Path(torch.__file__).parent / "lib"
    for name in ("libtorch_cpu.so", "libtorch_cuda.so"):
        if (libraries / name).exists():
            ctypes.CDLL(str(libraries / name), mode=ctypes.RTLD_GLOBAL)
    return torch


def check_torch(request, torch):
    if torch.__version__.partition("+")[0] != request["torch"]:
        raise Refusal(f"this Python has torch {torch.__version__}, and the suite loads torch "
                      f"{request['torch']}", "make the importer's environment anew")
    from .device import prepare
    prepare(request["device"])
    if request["device"] == "cuda" and importlib.util.find_spec("triton") is None:
        wanted = next((line for line in importlib.metadata.requires("torch") or []
                       if line.startswith("triton")), "triton").partition(";")[0].strip()
        raise Refusal("torch.compile needs Triton on a GPU, which this Python lacks",
                      f"{sys.executable} -m pip install '{wanted}'")


@contextlib.contextmanager
def quick_inductor(torch, packages):
    # libtorch.so pulls in the CUDA libraries; the harness has libtorch_cpu loaded.
    precompiles = packages >= LEAST_PACKAGES_TO_PRECOMPILE
    changed = torch._inductor.config.patch({"aot_inductor.link_libtorch": False,
                                            "aot_inductor.precompile_headers": precompiles,
                                            "compile_threads": 1})
    # Torch would try the compiler on each vector extension that this CPU lists.
    vector_isa = torch._inductor.cpu_vec_isa.VecISA
    untried = unittest.mock.patch.object(vector_isa, "check_build", return_value=True)
    with torch.no_grad(), changed, untried:
        yield


def loaded(torch, package, device, directory):
    """Loads a package from its files, and returns its function. Torch's own loader needs a /tmp."""
    with zipfile.ZipFile(package) as archive:
        for record in archive.namelist():
            if "/data/aotinductor/model/" in record:
                file = pathlib.Path(directory, pathlib.PurePosixPath(record).name)
                file.write_bytes(archive.read(record))
    library = str(next(pathlib.Path(directory).glob("*.so")))
    if device == "cpu":
        return torch._C._aoti.AOTIModelContainerRunnerCpu(library, 1)
    return torch._C._aoti.AOTIModelContainerRunnerCuda(library, 1, device, directory)


def check(made, wanted):
    from .verify import difference
    for one, other in zip(made, wanted, strict=True):
        error = difference(one, other)
        if not error <= MOST_DIFFERENCE.get(str(other.dtype), USUAL_DIFFERENCE):
            raise Refusal(f"what torch.compile makes differs from eager mode by {error:.1e} of the "
                          "result", "time it against eager alone")


def make(request, torch):
    """Writes one package, within quick_inductor()."""
    from torch.fx.experimental.proxy_tensor import make_fx
    from .whole_call import WholeCall
    torch.set_num_threads(request["threads"])
    call = WholeCall(request)
    with tempfile.TemporaryDirectory() as directory:
        # Tracing first turns autograd's calls, which torch.export refuses, into plain operators.
        exported = torch.export.export(make_fx(call)(*call.examples), call.examples)
        torch._inductor.aoti_compile_and_package(exported, package_path=request["out"])
        model = loaded(torch, request["out"], request["device"], directory)
        check(model.run(list(call.examples)), call(*call.examples))


def answer(request, torch):
    began = time.monotonic()
    try:
        check_torch(request, torch)
        make(request, torch)
        return {"seconds": round(time.monotonic() - began, 2)}
    except Refusal as refusal:
        reason, remedy = refusal.reason, refusal.remedy
    except Exception as error:
        reason = f"torch.compile fails: {one_line(error)}"
        remedy = "time it against eager alone"
        traceback.print_exc()
    return {"refused": {"reason": reason, "remedy": remedy}}


def main():
    requests = json.loads(pathlib.Path(sys.argv[1]).read_text())
    answers = os.fdopen(os.dup(1), "w")
    with contextlib.redirect_stdout(sys.stderr):
        torch = load_torch()
        warnings.filterwarnings("ignore")
        logging.disable(logging.CRITICAL)
        with quick_inductor(torch, len(requests)):
            for request in requests:
                print(json.dumps(answer(request, torch)), file=answers, flush=True)


if __name__ == "__main__":
    main()
