"""Each using-declaration and each alias of a namespace is used by its file.

usage: usings_test.py ROOT
"""

import pathlib
import re
import sys

PLACES = ("harness", "tasks", "benchmarks", "examples", "tests")
DECLARED = re.compile(
    r"^\s*(?:using (?:::)?(?:\w+::)+(\w+)|namespace (\w+) = (?:::)?\w+(?:::\w+)*);$", re.MULTILINE)


def unused(source):
    """Names that a file declares and never uses."""
    text = source.read_text()
    rest = DECLARED.sub("", text)
    for names in DECLARED.findall(text):
        name = "".join(names)
        if not re.search(rf"\b{name}\b", rest):
            yield name


def main():
    root = pathlib.Path(sys.argv[1])
    sources = [path for place in PLACES for path in (root / place).rglob("*.[ch]pp")]
    found = [f"{path.relative_to(root)}: {name}" for path in sorted(sources)
             for name in unused(path)]
    print(*found, f"{len(sources)} files, {len(found)} unused names", sep="\n")
    return 0 if sources and not found else 1


if __name__ == "__main__":
    sys.exit(main())
