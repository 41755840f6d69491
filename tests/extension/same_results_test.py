"""Holds the tensors that one source returns with slim headers equal, bit for bit, to those that it
returns over torch's.

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
            sys.exit(run.returncode)  # which has said why
        files = {path.name: path.read_bytes() for path in pathlib.Path(directory).iterdir()}
    return json.loads(files.pop("cases.json"))["cases"], files


def main():
    program, slim_record, torch_record = sys.argv[1:]
    slim, slim_tensors = written_results(program, slim_record, "slim")
    torch, torch_tensors = written_results(program, torch_record, "torch")
    if slim != torch:
        sys.exit(f"slim headers: {slim}\ntorch's headers: {torch}")
    for name, content in slim_tensors.items():
        if content != torch_tensors.get(name):
            sys.exit(f"{name} differs between slim headers and torch's")
    if not slim_tensors or len(slim_tensors) != len(torch_tensors):
        sys.exit(f"{len(slim_tensors)} and {len(torch_tensors)} tensors were written")
    print(f"{len(slim)} cases, {len(slim_tensors)} files of tensors")


main()
