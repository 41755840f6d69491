"""Lists sources as the importer does, without looking for torch."""

import argparse
import hashlib
import json
import pathlib


def options():
    parser = argparse.ArgumentParser()
    for name in ("--out", "--device", "--workloads"):
        parser.add_argument(name)
    for name in ("--name", "--config"):
        parser.add_argument(name, action="append", default=[])
    for name in ("--shrink", "--out-arguments"):
        parser.add_argument(name, action="store_true")
    parser.add_argument("source", nargs="+", type=pathlib.Path)
    return parser.parse_args()


def listed(given):
    paths = [p for path in given.source
             for p in (sorted(path.glob("*.py")) if path.is_dir() else [path])]
    for i, path in enumerate(paths):
        content = hashlib.sha256(path.read_bytes() + str([given.config, given.out_arguments]).encode()).hexdigest()
        yield {"source": str(path), "name": given.name[i] if given.name else path.stem,
               "made_with": {"torch": "2.11.0", "importer": "stub", "content": content}}


if __name__ == "__main__":
    for source in listed(options()):
        print(json.dumps(source))
