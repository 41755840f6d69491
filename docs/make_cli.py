#!/usr/bin/env python3
"""Writes docs/cli.md from what the programs of a build say of themselves.

  docs/make_cli.py build/robust/bin            writes it
  docs/make_cli.py build/robust/bin --check    fails where it is out of date

Needs the targets rkb, rkb_agent and rkb_bench.
"""

import argparse
import difflib
import pathlib
import re
import subprocess
import sys

CLI = pathlib.Path(__file__).resolve().parent / "cli.md"

INTRODUCTION = """\
# Commands

`docs/make_cli.py build/robust/bin` writes this file from each program's `--help`.

A build has its programs in `build/robust/bin/`. Exit codes of every program: 0 all passed, 1 some were rejected,
2 usage, 3 the harness failed, 77 nothing could run. Ctrl-C ends one with 130. With `--json -` an error is an object on
stdout, `{"error": {"exit_code": 2, "message": "..."}}`, and a line on stderr as ever. The options of `rkb` itself may
follow any command: `rkb test --quiet`.

| to | run |
|---|---|
| run every case of every kernel, and tests of the suite itself | `ctest --preset robust` |
| see what is here, and what will be skipped and why | `rkb doctor` |
| compile, test and time source files | `rkb evaluate --task mnist_linear my_kernel.cpp` |
| time kernels of the build | `rkb bench --task mnist_linear` |
| replay one case | the command that the failure ends with |
| see whether a source compiles | `rkb compile --quick my_kernel.cpp` |
| see what a change made faster, slower or wrong | `rkb compare base.json contender.json`, or `rkb compare REVISION` |
| learn why a kernel is slow | `rkb profile --task mnist_linear --direction forward --kernel my_kernel.cu` |
| see what evolutions have proposed | `rkb archive list`, then `rkb archive show RUN` |
| have a shell complete commands and options | `source <(rkb completion bash)` in `~/.bashrc`, likewise for zsh after `compinit`; `rkb completion fish \| source` |
| get timings as Google Benchmark cases | `rkb_bench --benchmark_filter=mnist_linear` |
"""


def help_of(program, *command):
    if not program.exists():
        sys.exit(f"{program} is missing; build the target {program.name}")
    command = [program, *command, "--help"]
    result = subprocess.run(command, capture_output=True, text=True, check=True)
    return result.stdout.strip()


def subcommands(help_text):
    """The names under `Subcommands:`."""
    return re.findall(r"^  ([\w-]+)  ", help_text.partition("Subcommands:")[2], re.MULTILINE)


def section(name, help_text):
    return f"\n## {name}\n\n```\n{help_text}\n```\n"


def sections(program, *command, called=None):
    """A command's section, then those of its subcommands."""
    text = help_of(program, *command)
    yield section(" ".join((called or program.name, *command)), text)
    for name in subcommands(text):
        yield from sections(program, *command, name, called=called)


def sections_of_rkb(programs):
    """All sections of rkb. It hands over to rkb_agent, which is asked itself, as both load torch."""
    of_agent = subcommands(help_of(programs / "rkb_agent"))
    of_agent.remove("help")
    text = help_of(programs / "rkb")
    yield section("rkb", text)
    for name in subcommands(text):
        program = "rkb_agent" if name in of_agent else "rkb"
        yield from sections(programs / program, name, called="rkb")


def reference(programs):
    return "".join((INTRODUCTION, *sections_of_rkb(programs), *sections(programs / "rkb_bench")))


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("programs", type=pathlib.Path, help="the bin/ of a build")
    parser.add_argument("--check", action="store_true", help="write nothing")
    arguments = parser.parse_args()
    programs = arguments.programs.resolve()
    wanted = reference(programs)
    if not arguments.check:
        CLI.write_text(wanted)
        return
    found = CLI.read_text()
    if found != wanted:
        lines = (text.splitlines(keepends=True) for text in (found, wanted))
        sys.stdout.writelines(difflib.unified_diff(*lines, "docs/cli.md", "--help"))
        sys.exit(f"docs/cli.md is out of date; run docs/make_cli.py {programs}")


if __name__ == "__main__":
    main()
