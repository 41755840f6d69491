"""README.md is short, and every link of a page leads to an existing file and heading."""

import pathlib
import re
import sys

LONGEST_README = 150  # lines
root = pathlib.Path(sys.argv[1])
complaints = []


def anchors(text):
    headings = re.findall(r"^#+ (.*)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def check_link(page, target):
    name, _, anchor = target.partition("#")
    path = page.parent / name if name else page
    if not path.exists():
        complaints.append(f"{page.relative_to(root)} links to {target}, which is not there")
    elif anchor and anchor not in anchors(path.read_text()):
        complaints.append(f"{page.relative_to(root)} links to {target}, which has no such heading")


pages = [*root.glob("*.md"), *root.glob("docs/*.md")]
if not pages:
    complaints.append(f"{root} has no pages")
for page in pages:
    for target in re.findall(r"\]\(([^)]+)\)", page.read_text()):
        if "://" not in target:
            check_link(page, target)

readme = (root / "README.md").read_text()
lines = len(readme.splitlines())
if lines > LONGEST_README:
    complaints.append(f"README.md has {lines} lines, at most {LONGEST_README}; move some to docs/")
linked = set(re.findall(r"\]\((docs/[^)#]+)", readme))
for page in root.glob("docs/*.md"):
    if str(page.relative_to(root)) not in linked:
        complaints.append(f"README.md does not link to {page.relative_to(root)}; add it to its index")

if complaints:
    sys.exit("\n".join(complaints))
