"""Files that a build may compile as one have no common names in their anonymous namespaces.

usage: names_test.py ROOT

Types and constants of one name would not compile there, but functions would be overloads, and a
call could mean the other file's. Such files are those of a room, or of its unit tests.
"""

import collections
import pathlib
import re
import sys

RAW_STRING = re.compile(r'R"(\w*)\(.*?\)\1"', re.DOTALL)
ANONYMOUS = re.compile(r"^namespace \{$(.*?)^\}  // namespace$", re.DOTALL | re.MULTILINE)
# Only members are indented. The lines of a definition end where its body or value begins.
NAMED = [re.compile(pattern, re.MULTILINE) for pattern in (
    r"^(?:\[\[.*?\]\]\s*)?(?!return\b|using\b|TEST)[\w:][\w:<>,&*\[\] ]*[ &*](\w+)\([^;]*?\)[^;=()]*\{",
    r"^(?:struct|class|enum class|enum) (\w+)[^;(]*?\{",
    r"^(?:const|constexpr|static|thread_local)\b[\w:<>,&* ]*[ &*](\w+)(?:\[\w*\])*(?: =|\{|\()",
)]


def names_of(source):
    text = RAW_STRING.sub('""', source.read_text())
    return {name for region in ANONYMOUS.findall(text) for pattern in NAMED
            for name in pattern.findall(region)}


def main():
    root = pathlib.Path(sys.argv[1])
    places = [path for parent in ("harness", "tests/unit") for path in (root / parent).iterdir()
              if path.is_dir()]
    places += [root / "tests/tasks", root / "tests/trial"]
    names, shared = 0, []
    for place in sorted(places):
        sources = collections.defaultdict(list)
        for source in sorted(place.rglob("*.cpp")):
            for name in names_of(source):
                sources[name].append(str(source.relative_to(root)))
        names += len(sources)
        shared += [f"{name}: {', '.join(files)}" for name, files in sources.items()
                   if len(files) > 1]
    print(*shared, f"{names} names, {len(shared)} of several things", sep="\n")
    return 0 if names and not shared else 1


if __name__ == "__main__":
    sys.exit(main())
