"""The Containerfile gets the Debian packages that bootstrap.sh names, and its steps are those of docs.

usage: container_test.py ROOT
"""

import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
sys.path.insert(0, str(root / "tests/cmake"))

from container_file import packages_of, stages_of  # noqa: E402

build, _ = stages_of((root / "Containerfile").read_text())
missing = re.search(r"missing_packages\(\) \{(.*?)\n\}", (root / "bootstrap.sh").read_text(), re.DOTALL)
wanted = set(re.findall(r"\|\| echo (\S+)", missing[1])) - {"ccache"}  # each image is built once
found = packages_of(build) - {"ca-certificates"}  # for downloads, which a Debian on disk can do
if not wanted or found != wanted:
    sys.exit(f"Containerfile and bootstrap.sh differ in packages: {sorted(found ^ wanted)}")
page = (root / "docs/install.md").read_text()
steps = [words for keyword, words in build if keyword == "RUN"][1:]
for step in steps:
    if step not in page:
        sys.exit(f"docs/install.md has no command '{step}', which the Containerfile runs")
