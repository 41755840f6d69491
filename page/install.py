#!/usr/bin/env python3
"""Fetches the library that draws the charts of pages.

  install.py DIRECTORY

Writes Apache ECharts into DIRECTORY as one file. It comes out of a package whose version and
hash requirements.txt pins. pip's own settings apply (PIP_INDEX_URL, PIP_FIND_LINKS, PIP_NO_INDEX,
...). The call may be killed at any time, and a repeated call does nothing twice.
"""

import argparse
import fcntl
import hashlib
import pathlib
import subprocess
import sys
import tempfile
import zipfile

REQUIREMENTS = pathlib.Path(__file__).resolve().parent / "requirements.txt"
MEMBER = "panel/dist/bundled/echarts/echarts@6.0.0/dist/echarts.min.js"
SHA256 = "baa8dfe7e1d9336b98e8986ba7e20ea15e7cdbea1ef42a59d59478632fa45a1d"
NAME = "echarts-6.0.0.min.js"


def die(text):
    sys.exit("install.py: " + text)


def is_library(content):
    return hashlib.sha256(content).hexdigest() == SHA256


def run(*command):
    """Runs a child, whose output is shown only if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)
    if done.returncode == 0:
        return
    lines = done.stdout.strip().splitlines() or ["it printed nothing"]
    print("\n".join(lines[:-1]), file=sys.stderr)
    die(f"{lines[-1]}; packages come from PyPI, or from where pip's settings say (PIP_INDEX_URL, "
        "PIP_FIND_LINKS)")


def downloaded():
    """The library's content, out of the package."""
    if subprocess.run([sys.executable, "-c", "import ensurepip, venv"],
                      stderr=subprocess.DEVNULL, check=False).returncode != 0:
        die(f"{sys.executable} cannot make virtual environments; install python3-venv")
    with tempfile.TemporaryDirectory() as scratch:
        run(sys.executable, "-m", "venv", scratch + "/venv")
        run(scratch + "/venv/bin/python", "-m", "pip", "download", "--disable-pip-version-check",
            "--no-input", "--quiet", "--retries", "1", "--no-deps", "--require-hashes",
            "--only-binary", ":all:", "--dest", scratch, "-r", str(REQUIREMENTS))
        package = next(pathlib.Path(scratch).glob("*.whl"))
        with zipfile.ZipFile(package) as files:
            return files.read(MEMBER)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", type=pathlib.Path)
    directory = parser.parse_args().directory
    directory.mkdir(parents=True, exist_ok=True)
    file = directory / NAME
    with open(directory / "lock", "w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if file.exists() and is_library(file.read_bytes()):
            return
        content = downloaded()
        if not is_library(content):
            die(f"{MEMBER} of the package is not the expected file; its SHA-256 should be {SHA256}")
        new = directory / (NAME + ".new")
        new.write_bytes(content)
        new.replace(file)


if __name__ == "__main__":
    main()
