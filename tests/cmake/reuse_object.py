#!/usr/bin/env python3
"""A compiler launcher that reuses objects of the suite's own build, $REUSED_BUILD.

  reuse_object.py COMPILER ARGUMENT...

An object is reused where both builds compile the same text with the same arguments. Optimisation,
precompiled headers and the flag of a parent project may differ. All other files are compiled.
"""

import json
import os
import pathlib
import re
import shlex
import shutil
import sys

PARENT = "robust_kbench/"  # the suite's part of the parent's build
MAY_DIFFER = re.compile(r"-O.?|-g|-DNDEBUG|-DPARENTS_OWN_FLAG|-MD|-Winvalid-pch")
REPEATED = "-fPIC"
WITH_VALUE = {"-o", "-c", "-MT", "-MF"}


def parsed(arguments):
    """The arguments that decide an object's content, and the values of the others."""
    deciding, values = [], {}
    rest = iter(arguments)
    for argument in rest:
        if argument in WITH_VALUE:
            values[argument] = next(rest)
        elif argument == "-include":
            header = next(rest)
            deciding += [] if header.endswith("/cmake_pch.hxx") else [argument, header]
        elif not MAY_DIFFER.fullmatch(argument):
            if argument != REPEATED or REPEATED not in deciding:
                deciding.append(argument)
    return deciding, values


def object_of(build, arguments):
    """The build's object that can be reused, or None."""
    deciding, values = parsed(arguments)
    wanted = values.get("-o", "")
    if "-c" not in values or not wanted.startswith(PARENT):
        return None
    for entry in json.loads((build / "compile_commands.json").read_text()):
        own, own_values = parsed(shlex.split(entry["command"])[1:])
        if own_values["-o"] != wanted.removeprefix(PARENT):
            continue
        texts = {pathlib.Path(each["-c"]).read_text() for each in (values, own_values)}
        return build / own_values["-o"] if own == deciding and len(texts) == 1 else None
    return None


def main():
    command = sys.argv[1:]
    found = object_of(pathlib.Path(os.environ["REUSED_BUILD"]), command[1:])
    if found is None or not found.exists():
        os.execvp(command[0], command)
    _, values = parsed(command[1:])
    shutil.copyfile(found, values["-o"])
    pathlib.Path(values["-MF"]).write_text(f"{values['-o']}: {values['-c']}\n")


if __name__ == "__main__":
    main()
