"""Makes packages of PyTorch modules: python -m importer FILE_OR_FOLDER... --out DIR

Prints one line of JSON for each source: the path of its package, or the reason of its refusal with
a remedy. The files are executed.
"""

import argparse
import contextlib
import gc
import json
import logging
import os
import pathlib
import sys
import time
import traceback
import warnings

from . import cuda_libraries
from .sources import made_with, parsed, sources_below, unique_name


def arguments():
    parser = argparse.ArgumentParser(prog="importer", description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="+", type=pathlib.Path,
                        help="a robust-kbench folder, a KernelBench problem, a module with "
                             "get_inputs, a tree of them, or a definition of flashinfer-bench")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--name", action="append", default=[],
                        help="of the task; several times, one for each source")
    parser.add_argument("--config", action="append", default=[], type=parsed, metavar="K=V,...",
                        help="a further shape; may be repeated")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--shrink", action="store_true",
                        help="halve sizes until the shapes fit this machine")
    parser.add_argument("--out-arguments", action="store_true",
                        help="kernels write their outputs to their last arguments")
    parser.add_argument("--workloads", type=pathlib.Path, metavar="FILE",
                        help="the sizes of a definition of flashinfer-bench")
    return parser.parse_args()


def source_of(path, options):
    from .definition import Definition
    from .module_source import ModuleSource
    from .refusal import Refusal
    from .robust_kbench_folder import RobustKbenchFolder
    if path.suffix == ".json":
        return Definition(path, options.workloads)
    if options.workloads is not None:
        raise Refusal(f"--workloads is for a definition of flashinfer-bench, and {path.name} is none",
                      "leave it out")
    return RobustKbenchFolder(path) if path.is_dir() else ModuleSource(path)


def imported(path, name, options):
    """The answer about one source, which is printed."""
    from .device import prepare
    from .package import Import, write
    from .refusal import Refusal, one_line
    from .errors import of_error
    began = time.monotonic()
    try:
        if not path.exists():
            raise Refusal(f"{path} does not exist", "name a file or a folder")
        prepare(options.device)
        source = source_of(path, options)
        source.name = name
        importing = Import(source, options)
        package = {**importing.run(), "made_with": made_with(path, options)}
        return {"source": str(path), "package": str(write(package, options.out)),
                "notes": package["notes"], "seconds": round(time.monotonic() - began, 2)}
    except Refusal as refusal:
        answer = {"reason": refusal.reason, "remedy": refusal.remedy}
    except MemoryError as error:
        refusal = of_error(error)
        answer = {"reason": refusal.reason, "remedy": refusal.remedy}
    except Exception as error:
        answer = {"reason": f"the importer failed: {one_line(error)}",
                  "remedy": "please report it with the source"}
        traceback.print_exc()
    return {"source": str(path), "refused": answer,
            "seconds": round(time.monotonic() - began, 2)}


def main():
    options = arguments()
    cuda_libraries.preload()
    sources = [source for path in options.source for source in sources_below(path)]
    if options.name and len(sources) != len(options.name):
        sys.exit(f"importer: --name names {len(options.name)} task, and there are "
                 f"{len(sources)} sources")
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    answers = os.fdopen(os.dup(1), "w")
    with contextlib.redirect_stdout(sys.stderr):  # sources may print
        taken = set()
        for i, path in enumerate(sources):
            name = options.name[i] if options.name else unique_name(path, taken)
            print(json.dumps(imported(path, name, options)), file=answers, flush=True)
            gc.collect()


if __name__ == "__main__":
    main()
