"""The rooms that include no torch pass .clang-tidy. The others would take ten seconds a file.

usage: tidy_test.py CLANG_TIDY [ROOM...], in the root of the sources, with the build in $BUILD

Most of clang-tidy's time goes into the headers that a file includes, at every check. So each room
is checked as one file that includes all of its sources. Rules that need to know the file of a use
are left to usings_test.py. GCC's precompiled headers are left out, so a room must include what it
uses. No room may have two things of one name, as a build compiles many sources as one.
"""

import collections
import concurrent.futures
import itertools
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path.cwd()
BUILD = pathlib.Path(os.environ["BUILD"])
SKIPPED = 77


def rooms_without_torch():
    """The rooms that include no torch by the table of docs/architecture.md."""
    lines = (ROOT / "docs/architecture.md").read_text().splitlines()
    rows = [[cell.strip() for cell in line.split("|")] for line in lines if line.startswith("|")]
    column = next(row for row in rows if row[1] == "room").index("torch")
    return [row[1] for row in rows if len(row) > column and row[column] == "no"]


def flags_of(entry):
    """The arguments that compile a source, except its name, its object and precompiled headers."""
    words = shlex.split(entry["command"])  # the first are a launcher and the compiler
    arguments = itertools.dropwhile(lambda word: not word.startswith("-"), words)
    flags = []
    for argument in arguments:
        if argument in ("-o", "-c"):
            next(arguments)
        elif argument == "-include":
            header = next(arguments)
            if not header.endswith("cmake_pch.hxx"):
                flags += [argument, header]
        elif not argument.endswith(entry["file"]) and argument != "-Winvalid-pch":
            flags.append(argument)
    return tuple(flags)


def compiled_by(entry):
    """The sources that a command compiles: several where a build makes one file of them."""
    path = pathlib.Path(entry["file"])
    if path.parent.name != "Unity":
        return [path]
    return [pathlib.Path(source)
            for source in re.findall('^#include "(.*)"$', path.read_text(), re.MULTILINE)]


def sources_of(names):
    """Sources by their room and flags. A source may be compiled in several ways."""
    sources = collections.defaultdict(list)
    for entry in json.loads((BUILD / "compile_commands.json").read_text()):
        for path in compiled_by(entry):
            for room in names:
                if path.is_relative_to(ROOT / "harness" / room):
                    sources[room, flags_of(entry)].append(path)
    return sources


def tidy(tool, source, flags, *options):
    """Whether a source passes, and clang-tidy's output."""
    done = subprocess.run([tool, "--quiet", "--warnings-as-errors=*", *options, source, "--",
                           *flags], cwd=BUILD, capture_output=True, text=True, check=False)
    return done.returncode == 0, done.stdout + done.stderr


def is_here(tool):
    try:
        subprocess.run([tool, "--version"], capture_output=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return False
    return True


def main():
    tool, names = sys.argv[1], sys.argv[2:] or rooms_without_torch()
    if not is_here(tool):
        print("skipped: clang-tidy is not here (apt-get install clang-tidy-14)")
        return SKIPPED
    if not (BUILD / "compile_commands.json").exists():
        print(f"skipped: {BUILD}/compile_commands.json is not there; use a preset, or Ninja or "
              "Makefiles")
        return SKIPPED
    config = (ROOT / ".clang-tidy").read_text()
    headers = re.search("HeaderFilterRegex: '(.*)'", config)[1]
    whole_checks = f"--config-file={ROOT}/.clang-tidy"
    groups = sources_of(names)
    with (tempfile.TemporaryDirectory() as directory,
          concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool):
        def check_room(item):
            number, ((room, flags), sources) = item
            whole = pathlib.Path(directory, f"{room}_{number}.cpp")
            whole.write_text("".join(
                f'#include "{source}"  // NOLINT(bugprone-suspicious-include)\n'
                for source in sources))
            return tidy(tool, whole, flags, whole_checks,
                        f"--header-filter={headers}|/harness/{room}/.*[.]cpp$")

        largest_first = sorted(groups.items(), key=lambda group: len(group[1]), reverse=True)
        results = list(pool.map(check_room, enumerate(largest_first)))
    for passed, output in results:
        if not passed:
            print(output)
    print(f"{sum(passed for passed, _ in results)} of {len(results)} pass")
    return 0 if results and all(passed for passed, _ in results) else 1


if __name__ == "__main__":
    sys.exit(main())
