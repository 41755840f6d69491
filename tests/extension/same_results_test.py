"""Compares, bit for bit, the tensors that one source returns with shim headers and with torch's.

usage: same_results_test.py WRITE_RESULTS SLIM_RECORD TORCH_RECORD
"""

import json
import pathlib
import subprocess
import sys
import tempfile


def written_results(program, record, headers):
    """The cases as JSON, and the bytes of every tensor by its file."""
    found = json.loads(pathlib.Path(record).read_text())["headers"]
    if found != headers:
        sys.exit(f"{record}: compiled with headers '{found}', expected '{headers}'")
    with tempfile.TemporaryDirectory() as directory:
        run = subprocess.run([program, record, directory])
        if run.returncode != 0:
            sys.exit(run.returncode)  # its output has the reason
        files = {path.name: path.read_bytes() for path in pathlib.Path(directory).iterdir()}
    return json.loads(files.pop("cases.json"))["cases"], files


def main():
    program, shim_record, torch_record = sys.argv[1:]
    shim, shim_tensors = written_results(program, shim_record, "shim")
    torch, torch_tensors = written_results(program, torch_record, "torch")
    if shim != torch:
        sys.exit(f"shim headers: {shim}\ntorch's headers: {torch}")
    for name, content in shim_tensors.items():
        if content != torch_tensors.get(name):
            sys.exit(f"{name} differs between shim headers and torch's")
    if not shim_tensors or len(shim_tensors) != len(torch_tensors):
        sys.exit(f"{len(shim_tensors)} and {len(torch_tensors)} tensors were written")
    print(f"{len(shim)} cases, {len(shim_tensors)} files of tensors")


main()
