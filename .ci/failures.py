#!/usr/bin/env python3
"""Prints what failed in a run of CTest that wrote JUNIT: each test's name, and where it says why.

  .ci/failures.py JUNIT

CTest ends with a list of what was skipped, and the end of a log is what is read.
"""

import pathlib
import sys
import xml.etree.ElementTree

LAST_LINES = 20
TELLING = (": Failure", "Error", "error:", "FAILED")  # of GoogleTest, Python, compilers
LINES_AFTER = 8  # that such a line explains itself in


def telling_lines(output):
    lines = output.splitlines()
    shown = set()
    for i, line in enumerate(lines):
        if any(word in line for word in TELLING):
            shown.update(range(i, min(i + 1 + LINES_AFTER, len(lines))))
    return [lines[i] for i in sorted(shown)] or lines[-LAST_LINES:]


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    if not path.exists():
        sys.exit(f"{path} does not exist: no test has run")
    for test in xml.etree.ElementTree.parse(path).getroot().iter("testcase"):
        skipped = test.find("skipped")
        if test.get("status") == "fail":
            print(f"\n{test.get('name')} failed after {float(test.get('time')):.1f} s:")
            for line in telling_lines(test.findtext("system-out", default="")):
                print(f"  {line}")
        elif skipped is not None and not skipped.get("message", "").startswith("SKIP_"):
            print(f"\n{test.get('name')} could not run: {skipped.get('message')}")


if __name__ == "__main__":
    main()
