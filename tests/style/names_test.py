"""No two files of a room, or of its unit tests, give two functions of anonymous namespaces one name.

usage: names_test.py ROOT

A build compiles many files of a room as one. Types and functions alike would not compile there, but
functions of different arguments would be overloads, of which a call could mean the other file's.
"""

import collections
import pathlib
import re
import sys

RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
ANONYMOUS = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
# Members are indented. A definition may take several lines, the first of which opens its arguments.
FUNCTION = re.compile(r"^(?!return|using|TEST)[\w:][\w:<>,&*\[\] ]*[ &*](\w+)\([^;=]*?\)[^;=()]*\{",
                      re.MULTILINE)


def functions_of(source):
    text = RAW_STRING.sub('""', source.read_text())
    return {name for region in ANONYMOUS.findall(text) for name in FUNCTION.findall(region)}


def main():
    root = pathlib.Path(sys.argv[1])
    rooms = [path for parent in ("harness", "tests/unit") for path in (root / parent).iterdir()
             if path.is_dir() and path.name not in ("include", "shim")]
    functions, shared = 0, []
    for room in sorted(rooms):
        sources = collections.defaultdict(list)
        for source in sorted(room.rglob("*.cpp")):
            for name in functions_of(source):
                sources[name].append(str(source.relative_to(root)))
        functions += len(sources)
        shared += [f"{name}: {', '.join(files)}" for name, files in sources.items()
                   if len(files) > 1]
    print(*shared, f"{functions} functions, {len(shared)} names of several", sep="\n")
    return 0 if functions and not shared else 1


if __name__ == "__main__":
    sys.exit(main())
