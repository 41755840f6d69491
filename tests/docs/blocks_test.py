"""Each block and each command of the documents is run, or parsed where it needs more than a test has.

usage: blocks_test.py ROOT BUILD CTEST

A command of rkb is parsed by rkb itself. What other commands name must exist: presets, targets, tests, files.
Blocks in Python are run by the test client.page, and tasks in C++ are compared by docs.task.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

from blocks import blocks_of, commands_of, lines_of

root, build, ctest = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), sys.argv[3]
BIN = build / "bin"
PLACEHOLDERS = {"<task>": "mnist_linear"}
# Programs of other people, which a reader has or gets.
OF_OTHERS = {"cd", "cpack", "export", "pip", "podman", "sqlite3", "sudo"}
# A project of the reader's own is tested as tests/cmake/find_package.
OF_A_READER = ("docs/cmake.md", "docs/compare.md")
# Parts of a source, which stand beside the whole one.
FRAGMENTS = {"docs/cmake.md", "docs/evolution.md", "docs/precision.md", "docs/tasks.md"}
complaints = []


def complain(page, what):
    complaints.append(f"{page}: {what}")


def agent_commands():
    text = (root / "harness/command/agent_commands.hpp").read_text()
    return set(re.findall(r'AgentCommand\{"([\w-]+)"', text))


def check_rkb(page, words):
    """Has rkb parse a command and end. rkb_agent is asked itself, as both would load torch."""
    program = BIN / ("rkb_agent" if words and words[0] in agent_commands() else "rkb")
    result = subprocess.run([program, *words, "--parse-only"], check=False, text=True,
                            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if result.returncode != 0:
        complain(page, f"rkb {' '.join(words)}: {result.stderr.strip()}")


def check_presets(page, words):
    presets = json.loads((root / "CMakePresets.json").read_text())
    names = {preset["name"] for kind in presets.values() if isinstance(kind, list)
             for preset in kind}
    for option, value in zip(words, words[1:]):
        if option == "--preset" and value not in names:
            complain(page, f"there is no preset {value}")


def check_cmake(page, words):
    if page in OF_A_READER:
        return
    check_presets(page, words)
    targets = (build / "build.ninja").read_text()
    for option, value in zip(words, words[1:]):
        if option == "--target" and not re.search(rf"^build {re.escape(value)}:", targets, re.M):
            complain(page, f"there is no target {value}")


def check_ctest(page, words, tests):
    check_presets(page, words)
    options = dict(zip(words, words[1:]))
    label, name = options.get("-L"), options.get("-R", "")
    if not any(re.search(name, test) and (label is None or any(re.search(label, each)
                                                               for each in labels))
               for test, labels in tests):
        complain(page, f"ctest {' '.join(words)} finds no test")


def all_tests():
    text = subprocess.run([ctest, "--test-dir", build, "--show-only=json-v1"], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return [(test["name"], next((each["value"] for each in test.get("properties", [])
                                 if each["name"] == "LABELS"), []))
            for test in json.loads(text[text.index("{"):])["tests"]]


def check_command(page, words, tests):
    for placeholder, value in PLACEHOLDERS.items():
        words = [word.replace(placeholder, value) for word in words]
    program, *arguments = words
    if program == "rkb" or program.endswith("/bin/rkb"):
        check_rkb(page, arguments)
    elif program == "cmake":
        check_cmake(page, arguments)
    elif program == "ctest":
        if page not in OF_A_READER:
            check_ctest(page, arguments, tests)
    elif program == "rkb_torch":
        if not (root / "packaging/rkb_torch.sh.in").exists():
            complain(page, "there is no rkb_torch")
    elif program.startswith(("build/dev/", "$HOME/")):
        pass  # what a line before it makes
    elif program.endswith("python") or program == "python3":
        script = arguments[0]
        module = arguments[1] if script == "-m" else None
        if module and not (module == "venv" or (root / module).is_dir()):
            complain(page, f"there is no module {module}")
        elif not module and not (root / script).exists():
            complain(page, f"there is no {script}")
    elif "/" in program:
        if not (root / program).exists():
            complain(page, f"there is no {program}")
    elif program not in OF_OTHERS:
        complain(page, f"what is {program}? Test it, or name it in OF_OTHERS")


def check_kernel(block):
    with tempfile.TemporaryDirectory() as directory:
        source = pathlib.Path(directory, "kernel.cpp")
        source.write_text(block.text)
        result = subprocess.run([BIN / "rkb", "compile", "--quick", source], check=False, text=True,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if result.returncode != 0:
        complain(block.page, f"a kernel does not compile: {result.stdout}")


def check_cpp(block):
    if "PYBIND11_MODULE" in block.text:
        check_kernel(block)
    elif block.page not in FRAGMENTS:
        complain(block.page, f"C++ that no test compiles: {block.text[:60]!r}")


def check_functions(block):
    sources = "".join(path.read_text() for path in (root / "cmake").glob("*.cmake"))
    for function, arguments in re.findall(r"(robust_kbench_\w+)\(([^)]*)\)", block.text):
        found = re.search(rf"function\({function}\)(.*?)endfunction", sources, re.DOTALL)
        if not found:
            complain(block.page, f"there is no CMake function {function}")
            continue
        for keyword in re.findall(r"\b[A-Z][A-Z_]+\b(?![=/])", arguments):
            if not re.search(rf"\b{keyword}\b", found[1]):
                complain(block.page, f"{function} takes no {keyword}")


def check_block(block, tests):
    if block.language == "sh":
        for command in commands_of(block):
            check_command(block.page, command.words, tests)
    elif block.language == "cpp":
        check_cpp(block)
    elif block.language == "cmake":
        check_functions(block)
    elif block.language == "json":
        json.loads(block.text)
    elif block.language == "python":
        if block.page != "docs/python.md":
            complain(block.page, "Python that no test runs")
    elif block.language:
        complain(block.page, f"a block in {block.language}, which nothing tests")


def check_examples():
    """Each command has an example, with which its help begins."""
    page = (root / "docs/cli.md").read_text()
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        command, _, text = section.partition("\n")
        found = re.match(r"\n```\nExample: (.*)\n", text)
        if command.startswith("rkb_"):
            continue
        if not found:
            complain("docs/cli.md", f"{command} has no example in command/help_example.cpp")
            continue
        for words in lines_of(found[1] + "\n"):
            check_rkb("docs/cli.md", words[1:words.index(">")] if ">" in words else words[1:])


def main():
    blocks = blocks_of(root)
    tests = all_tests()
    for block in blocks:
        check_block(block, tests)
    check_examples()
    commands = sum(len(list(commands_of(block))) for block in blocks if block.language == "sh")
    print(*complaints, f"{len(blocks)} blocks, {commands} commands", sep="\n")
    return 1 if complaints or commands < 50 else 0


if __name__ == "__main__":
    sys.exit(main())
