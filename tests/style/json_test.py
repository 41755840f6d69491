"""Foreign JSON is parsed by core/parse_json.hpp alone, which limits its nesting.

usage: json_test.py ROOT
"""

import pathlib
import re
import sys

PARSES = re.compile(r"\bjson::(?:parse|sax_parse|accept)\s*\(|>>\s*\w*json\b")
# The manifest and the configs of tasks are the build's own, and may hold comments.
ALLOWED = {"harness/core/parse_json.cpp", "harness/core/manifest.cpp"}


def main():
    root = pathlib.Path(sys.argv[1])
    parsing = {str(path.relative_to(root)) for path in (root / "harness").rglob("*.[ch]pp")
               if PARSES.search(path.read_text())}
    print(*sorted(parsing - ALLOWED), f"{len(parsing)} files parse JSON themselves", sep="\n")
    return 0 if parsing == ALLOWED else 1


if __name__ == "__main__":
    sys.exit(main())
