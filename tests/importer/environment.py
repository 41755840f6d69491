"""The environment of Python in which imports run, for tests that need it.

environment.py VENV PYTHON: makes it where ROBUST_KBENCH_CI is set, before those tests
"""

import os
import pathlib
import subprocess
import sys

SKIPPED = 77
INSTALL = pathlib.Path(__file__).resolve().parents[2] / "importer" / "install.py"


def require(venv, python):
    """Ends the test as skipped if there is no `venv`. With ROBUST_KBENCH_CI set it is made.

    `python` has the torch of the build.
    """
    install = [str(INSTALL), venv, "--torch", python]
    if os.environ.get("ROBUST_KBENCH_CI"):
        subprocess.run([sys.executable, *install], check=True)
    elif not pathlib.Path(venv, "robust_kbench_ready").exists():
        print(f"{venv} is missing; make it by: {' '.join(install)}")
        sys.exit(SKIPPED)


if __name__ == "__main__":
    require(*sys.argv[1:])
