"""Makes packages of PyTorch modules: python -m importer FILE_OR_FOLDER... --out DIR

Prints one line of JSON for each source: where its package is, or why it is refused and what helps.
The files are executed.
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


def parsed(text):
    """k=v,... as a config."""
    config = {}
    for item in text.split(","):
        name, found, value = item.partition("=")
        if not found:
            raise argparse.ArgumentTypeError(f"'{item}' is no KEY=VALUE")
        try:
            config[name.strip()] = json.loads(value)
        except ValueError:
            config[name.strip()] = value
    return config


def arguments():
    parser = argparse.ArgumentParser(prog="importer", description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="+", type=pathlib.Path,
                        help="a robust-kbench folder, a KernelBench problem, a module with "
                             "get_inputs, or a tree of them")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR")
    parser.add_argument("--name", help="of the task; only with one source")
    parser.add_argument("--config", action="append", default=[], type=parsed, metavar="K=V,...",
                        help="a further shape; may be repeated")
    parser.add_argument("--device", choices=("cpu", "cuda"), default="cpu")
    parser.add_argument("--shrink", action="store_true",
                        help="halve sizes until the shapes fit this machine")
    return parser.parse_args()


def sources_below(path):
    """Folders with a func_forward.py, and Python files elsewhere."""
    if path.is_dir():
        if (path / "func_forward.py").exists():
            yield path
            return
        for child in sorted(path.iterdir()):
            if child.is_dir() and not child.name.startswith((".", "__")) or child.suffix == ".py":
                yield from sources_below(child)
    else:
        yield path.parent if path.name == "func_forward.py" else path


def unique_name(path, taken):
    from .package import task_name
    name = task_name(path.name if path.is_dir() else path.stem)
    for parent in path.absolute().parents:
        if name not in taken:
            break
        name = task_name(f"{parent.name}_{name}")
    taken.add(name)
    return name


def imported(path, name, options):
    """What is printed of one source."""
    from .module_source import ModuleSource
    from .package import Import, write
    from .refusal import Refusal, one_line
    from .robust_kbench_folder import RobustKbenchFolder
    from .errors import of_error
    began = time.monotonic()
    try:
        if not path.exists():
            raise Refusal(f"{path} does not exist", "name a file or a folder")
        source = RobustKbenchFolder(path) if path.is_dir() else ModuleSource(path)
        source.name = name
        importing = Import(source, options)
        package = importing.run()
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
    if options.name and len(sources) != 1:
        sys.exit(f"importer: --name names one task, and there are {len(sources)} sources")
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    answers = os.fdopen(os.dup(1), "w")
    with contextlib.redirect_stdout(sys.stderr):  # sources may print
        taken = set()
        for path in sources:
            name = options.name or unique_name(path, taken)
            print(json.dumps(imported(path, name, options)), file=answers, flush=True)
            gc.collect()


if __name__ == "__main__":
    main()
