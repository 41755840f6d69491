"""Reads solutions of a KernelBench problem that is imported:

python -m importer.solutions --package P.task.json --out DIR PROBLEM SOLUTION...

Prints a line of JSON for each solution: the names of its kernel's files below DIR, or the reason of
its refusal with a remedy. The files are executed.
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


def arguments():
    parser = argparse.ArgumentParser(prog="importer.solutions",
                                     description=__doc__.splitlines()[0])
    parser.add_argument("problem", type=pathlib.Path)
    parser.add_argument("solution", nargs="+", type=pathlib.Path)
    parser.add_argument("--package", required=True, type=pathlib.Path, help="the problem's")
    parser.add_argument("--out", required=True, type=pathlib.Path, metavar="DIR")
    return parser.parse_args()


def refused(error):
    from .refusal import Refusal, one_line
    if isinstance(error, Refusal):
        return {"reason": error.reason, "remedy": error.remedy}
    traceback.print_exception(error)
    return {"reason": f"the importer failed: {one_line(error)}",
            "remedy": "please report it with the source"}


def read_solution(path, problem, package, directory):
    from .solution import Solution
    found = Solution(path, problem).read(package)
    target = directory / path.stem
    target.mkdir(parents=True, exist_ok=True)
    names = []
    for name, text in found.pop("files"):
        # The first source names the kernel.
        names.append(name if names else path.stem + pathlib.Path(name).suffix)
        (target / names[-1]).write_text(text)
    return {"files": names, **found}


def main():
    options = arguments()
    warnings.filterwarnings("ignore")
    logging.disable(logging.CRITICAL)
    answers = os.fdopen(os.dup(1), "w")
    with contextlib.redirect_stdout(sys.stderr):  # sources may print
        cuda_libraries.preload()
        from .module_source import ModuleSource
        package = json.loads(options.package.read_text())
        problem = ModuleSource(options.problem)
        problem.name = package["name"]
        for solution in options.solution:
            began = time.monotonic()
            try:
                answer = read_solution(solution, problem, package, options.out)
            except Exception as error:
                answer = {"refused": refused(error)}
            seconds = round(time.monotonic() - began, 2)
            print(json.dumps({"source": str(solution), **answer, "seconds": seconds}), file=answers,
                  flush=True)
            gc.collect()


if __name__ == "__main__":
    main()
