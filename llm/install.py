#!/usr/bin/env python3
"""Installs the packages of the helper for language models into a virtual environment of its own.

  install.py VENV [--test]

--test also installs the packages of the helper's tests. Every package is pinned by hash
(requirements.lock, requirements-test.lock), and only wheels are used. pip's own settings apply
(PIP_INDEX_URL, PIP_FIND_LINKS, PIP_NO_INDEX, ...). The installation may be killed at any time, and
several may run at once. A repeated call does nothing twice.
"""

import argparse
import fcntl
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import sysconfig

PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")  # those with wheels in the lock files
HERE = pathlib.Path(__file__).resolve().parent
LOCK, TEST_LOCK = HERE / "requirements.lock", HERE / "requirements-test.lock"
STAMP = "robust_kbench_ready.json"  # written last: without it the environment is incomplete
VERSION = "import platform; print(platform.python_version())"


def die(text):
    sys.exit("install.py: " + text)


def digest(lock):
    return hashlib.sha256(lock.read_bytes()).hexdigest()


def is_ready(venv, wanted):
    """Whether the environment works and has the packages of the lock file `wanted`."""
    try:
        stamp = json.loads((venv / STAMP).read_text())
        # An updated Python no longer finds the packages that were installed for it.
        version = subprocess.run([str(venv / "bin/python"), "-c", VERSION], check=True,
                                 stdout=subprocess.PIPE, universal_newlines=True).stdout.strip()
    except (OSError, ValueError, subprocess.CalledProcessError):
        return False
    return version == stamp["python"] and digest(wanted) in stamp["locks"]


def install(venv, locks, held):
    """Makes the environment anew with the packages of the last of `locks`.

    Children inherit the lock `held`. So no other installation begins before all of them have ended,
    even if this process was killed.
    """
    def run(*command):
        if subprocess.run(command, stdout=sys.stderr, pass_fds=[held]).returncode != 0:
            die("'%s' failed, see above; it takes packages from PyPI or from where pip's settings "
                "say (PIP_INDEX_URL, PIP_FIND_LINKS)" % " ".join(command))

    if subprocess.run(
            [sys.executable, "-c", "import ensurepip, venv"],
            stderr=subprocess.DEVNULL).returncode != 0:
        die("%s cannot make virtual environments; install python3-venv" % sys.executable)
    run(sys.executable, "-m", "venv", "--clear", str(venv))
    python = str(venv / "bin/python")
    run(python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet",
        "--require-hashes", "--only-binary", ":all:", "-r", str(locks[-1]))
    version = subprocess.run([python, "-c", VERSION], check=True, stdout=subprocess.PIPE,
                             universal_newlines=True).stdout.strip()
    new = venv / (STAMP + ".new")
    new.write_text(json.dumps({"python": version, "locks": [digest(lock) for lock in locks]}))
    new.replace(venv / STAMP)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("venv", type=pathlib.Path)
    parser.add_argument("--test", action="store_true")
    options = parser.parse_args()
    # The packages of the tests include those of the helper.
    locks = [LOCK, TEST_LOCK] if options.test else [LOCK]
    venv = pathlib.Path(os.path.abspath(str(options.venv)))
    if is_ready(venv, locks[-1]):
        return
    python = "%d.%d" % sys.version_info[:2]
    if python not in PYTHONS:
        die("%s is Python %s; the lock files have wheels for Python %s to %s, run this by one"
            % (sys.executable, python, PYTHONS[0], PYTHONS[-1]))
    if sysconfig.get_config_var("Py_GIL_DISABLED"):
        die("%s is a free-threaded Python, for which the lock files have no wheels; run this by "
            "another" % sys.executable)
    venv.parent.mkdir(parents=True, exist_ok=True)
    with open(str(venv) + ".lock", "w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        if not is_ready(venv, locks[-1]):
            print("Installing the helper for language models into %s" % venv, file=sys.stderr)
            install(venv, locks, held.fileno())


if __name__ == "__main__":
    main()
