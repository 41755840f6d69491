#!/usr/bin/env python3
"""Writes the two lock files: every package that the helper, or its tests, install, with hashes.

  lock.py

requirements.txt and requirements-test.txt name the wanted packages. pip finds their dependencies,
and downloads the wheels for each of PYTHONS and MACHINES.
"""

import collections
import hashlib
import pathlib
import subprocess
import sys
import tempfile

from install import PYTHONS

HERE = pathlib.Path(__file__).parent
LOCKS = {"requirements.lock": ["requirements.txt"],
         "requirements-test.lock": ["requirements.txt", "requirements-test.txt"]}
MACHINES = ("x86_64", "aarch64")
# Wheels for systems of 2014 and of 2018; some packages are built for the second alone.
PLATFORMS = ("manylinux2014", "manylinux_2_28")


def download(names, python, machine, directory):
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--only-binary", ":all:",
               "--python-version", python, "--dest", str(directory)]
    for platform in PLATFORMS:
        command += ["--platform", f"{platform}_{machine}"]
    for name in names:
        command += ["-r", str(HERE / name)]
    subprocess.run(command, check=True)


def hashes(names):
    """The SHA-256 of each wheel by name and version of its package."""
    found = collections.defaultdict(set)
    for python in PYTHONS:
        for machine in MACHINES:
            with tempfile.TemporaryDirectory() as directory:
                download(names, python, machine, directory)
                for wheel in pathlib.Path(directory).iterdir():
                    name, version = wheel.name.split("-")[:2]
                    found[name.lower().replace("_", "-"), version].add(
                        hashlib.sha256(wheel.read_bytes()).hexdigest())
    return found


def main():
    for lock, names in LOCKS.items():
        lines = [f"# Written by lock.py: CPython {PYTHONS[0]} to {PYTHONS[-1]} on Linux, "
                 f"{' and '.join(MACHINES)}."]
        for (name, version), digests in sorted(hashes(names).items()):
            lines.append(" \\\n".join([f"{name}=={version}"] + [
                f"    --hash=sha256:{digest}" for digest in sorted(digests)]))
        (HERE / lock).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
