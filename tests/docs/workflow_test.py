"""The workflow for users' repositories runs the commands of docs/compare.md, and nothing else.

usage: workflow_test.py ROOT ENVIRONMENT

ENVIRONMENT is that of the helper's tests (llm/install.py --test), which has a reader of YAML.
"""

import os
import pathlib
import re
import sys

SKIPPED = 77
try:
    import yaml
except ImportError:
    python = sys.argv[2] + "/bin/python"
    if os.path.exists(python) and not os.path.samefile(sys.prefix, sys.argv[2]):
        os.execv(python, [python, *sys.argv])
    print(f"this Python has no module yaml; make one that has it by: llm/install.py {sys.argv[2]} --test")
    sys.exit(1 if "ROBUST_KBENCH_CI" in os.environ else SKIPPED)

# Actions of GitHub itself, by a tag of theirs.
OFFICIAL = re.compile(r"actions/[a-z-]+@v\d+")
WORKFLOW = "examples/github/kernels.yml"
root = pathlib.Path(sys.argv[1])
complaints = []


def commands_of(page):
    """The lines of a page's blocks of shell commands."""
    blocks = re.findall(r"```sh\n(.*?)```", page.read_text(), re.DOTALL)
    return {line.strip() for block in blocks for line in block.splitlines()}


def options_of(command):
    """The long options of a command of rkb, as docs/cli.md has its --help."""
    page = (root / "docs/cli.md").read_text()
    section = page.partition(f"\n## rkb {command}\n")[2].partition("\n## ")[0]
    return set(re.findall(r"--[a-z][a-z-]*", section))


def check_step(step, documented):
    if "uses" in step:
        if not OFFICIAL.fullmatch(step["uses"]):
            complaints.append(f"{step['uses']} is no action of GitHub's own with a tag")
        return
    command = step["run"].strip()
    if "${{" in command:
        complaints.append(f"{command}: pass it by env, since an expression is pasted unquoted")
    if command not in documented:
        complaints.append(f"docs/compare.md does not have the command: {command}")
    if (words := command.split())[0].endswith("/rkb"):
        given = {word.partition("=")[0] for word in words if word.startswith("--")}
        for unknown in given - options_of(words[1]):
            complaints.append(f"rkb {words[1]} has no option {unknown}")


workflow = yaml.safe_load((root / WORKFLOW).read_text())
documented = commands_of(root / "docs/compare.md")
steps = [step for job in workflow["jobs"].values() for step in job["steps"]]
for step in steps:
    check_step(step, documented)
if not any("rkb compare" in step.get("run", "") for step in steps):
    complaints.append("no step compares")
if workflow["permissions"] != {"contents": "read"}:
    complaints.append("the workflow may do more than read")

if complaints:
    sys.exit("\n".join(f"{WORKFLOW}: {complaint}" for complaint in complaints))
