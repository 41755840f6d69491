"""The shim includes the same headers as torch's, and has a small header for each operator.

usage: brought_along_test.py COMPILER SHIM_INCLUDE TORCH_INCLUDE...
"""

import pathlib
import re
import subprocess
import sys
import tempfile

# Headers of the shim that declare operators of torch.
DECLARING = ["factories", "functions", "tensor", "tensor_operators"]


def standard_headers(compiler, includes, text):
    """Names of the public headers of the C++ library that a source reaches."""
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory) / "source.cpp"
        source.write_text(text)
        command = [compiler, "-std=c++17", "-fopenmp", *includes, "-M", str(source)]
        rule = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout
    files = [pathlib.Path(word) for word in rule.replace("\\\n", " ").split()]
    root = next(file.parent for file in files if file.name == "type_traits")
    return {file.name for file in files if file.parent == root and not file.suffix}


def require_headers(compiler, shim, torch):
    # torch/all.h is in the second directory.
    directories = [part for path in torch for part in (path, f"{path}/torch/csrc/api/include")]
    wanted = standard_headers(compiler, [word for path in directories for word in ("-isystem", path)],
                              "#include <torch/all.h>\n")
    there = standard_headers(compiler, [f"-I{shim}"],
                             "#include <torch/extension.h>\n"
                             "#include <robust_kbench/standard_library.h>\n")
    if len(wanted) < 50 or wanted - there:
        sys.exit(f"robust_kbench/standard_library.h lacks {sorted(wanted - there)} of the "
                 f"{len(wanted)} headers that torch/all.h brings along")
    return len(wanted)


def require_operators(compiler, shim, torch):
    declared = set()
    for name in DECLARING:
        text = (pathlib.Path(shim) / f"robust_kbench/shim/{name}.h").read_text()
        declared |= set(re.findall(r"\b([a-z]\w*)\(|\bX\((\w+)", text))
    names = {word for pair in declared for word in pair if word}
    of_torch = {header.stem for path in torch for header in
                (pathlib.Path(path) / "ATen/ops").glob("*.h")}
    of_shim = {header.stem for header in (pathlib.Path(shim) / "ATen/ops").glob("*.h")}
    lacking = names & of_torch - of_shim
    superfluous = of_shim - of_torch
    if lacking or superfluous:
        sys.exit(f"ATen/ops/ of the shim lacks {sorted(lacking)}; torch has no {sorted(superfluous)}")
    text = "".join(f"#include <ATen/ops/{name}.h>\n" for name in sorted(of_shim))
    subprocess.run([compiler, "-std=c++17", f"-I{shim}", "-fsyntax-only", "-x", "c++", "-"],
                   input=text, text=True, check=True)
    return len(of_shim)


def main():
    compiler, shim, *torch = sys.argv[1:]
    headers = require_headers(compiler, shim, torch)
    operators = require_operators(compiler, shim, torch)
    print(f"{headers} headers of the standard library, {operators} headers of operators")


main()
