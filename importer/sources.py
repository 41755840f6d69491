"""Lists the sources below some paths, with the names of their packages and their ingredients.

python -m importer.sources PATH... prints a line of JSON for each, without running any of them. A
line has the source, its name, and made_with in the package's form.
"""

import argparse
import functools
import hashlib
import importlib.util
import json
import pathlib
import platform
import re
import sys

ENTRY = "func_forward.py"  # of a robust-kbench folder


def sources_below(path):
    """Folders with a func_forward.py, and Python files elsewhere."""
    if path.is_dir():
        if (path / ENTRY).exists():
            yield path
            return
        for child in sorted(path.iterdir()):
            if child.is_dir() and not child.name.startswith((".", "__")) or child.suffix == ".py":
                yield from sources_below(child)
    else:
        yield path.parent if path.name == ENTRY else path


def task_name(text):
    """A lower-case C++ identifier."""
    name = re.sub(r"\W+", "_", text, flags=re.ASCII).lower().strip("_")
    name = re.sub(r"^[\d_]+", "", name) or "task_" + name
    return re.sub(r"_+", "_", name)


def unique_name(path, taken):
    own = path.absolute()
    name = task_name(own.name if path.is_dir() else path.stem)
    for parent in own.parents:
        if name not in taken:
            break
        name = task_name(f"{parent.name}_{name}")
    taken.add(name)
    return name


@functools.cache
def importer_hash():
    digest = hashlib.sha256()
    for path in sorted(pathlib.Path(__file__).parent.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


@functools.cache
def torch_version():
    """The version of torch, which need not be importable. None where torch is missing."""
    found = importlib.util.find_spec("torch")
    if found is None or not found.submodule_search_locations:
        return None
    file = pathlib.Path(found.submodule_search_locations[0], "version.py")
    version = re.search(r"^__version__ = '(.*)'$", file.read_text(), re.MULTILINE)
    return version and version[1]


def parsed(text):
    """Parses a config of the form k=v,..."""
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


def content_hash(path, options):
    """Identifies the package, beside torch and the importer: a hash of the source's files and the
    options."""
    files = [path, options.workloads] if options.workloads else [path]
    if path.is_dir():
        files = sorted(f for f in path.iterdir() if f.suffix in (".py", ".json"))
    decided = [options.config, options.device, options.shrink, options.out_arguments]
    digest = hashlib.sha256(json.dumps(decided).encode())
    for file in files:
        if file.is_file():
            digest.update(file.name.encode() + b"\0" + hashlib.sha256(file.read_bytes()).digest())
    return digest.hexdigest()


def made_with(path, options):
    return {"torch": torch_version(), "python": platform.python_version(),
            "importer": importer_hash(),
            "content": content_hash(path, options)}


def main():
    parser = argparse.ArgumentParser(prog="importer.sources", description=__doc__.splitlines()[0])
    parser.add_argument("source", nargs="+", type=pathlib.Path)
    parser.add_argument("--name", action="append", default=[])
    parser.add_argument("--config", action="append", default=[], type=parsed)
    parser.add_argument("--device", default="cpu")
    parser.add_argument("--shrink", action="store_true")
    parser.add_argument("--out-arguments", action="store_true")
    parser.add_argument("--workloads", type=pathlib.Path)
    options = parser.parse_args()
    sources = [source for path in options.source for source in sources_below(path)]
    if options.name and len(sources) != len(options.name):
        sys.exit(f"importer: --name names {len(options.name)} task, and there are "
                 f"{len(sources)} sources")
    taken = set()
    for i, path in enumerate(sources):
        name = options.name[i] if options.name else unique_name(path, taken)
        print(json.dumps({"source": str(path), "name": name,
                          "made_with": made_with(path, options)}), flush=True)


if __name__ == "__main__":
    main()
