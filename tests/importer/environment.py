"""The environment of Python in which imports run, for tests that need it.

environment.py VENV PYTHON: makes it where ROBUST_KBENCH_CI is set, before those tests
"""

import os
import pathlib
import subprocess
import sys

SKIPPED = 77
IN_CI = bool(os.environ.get("ROBUST_KBENCH_CI"))
INSTALL = pathlib.Path(__file__).resolve().parents[2] / "importer" / "install.py"


def require(venv, python):
    """Ends the test if there is no `venv`: as skipped, or as failed where CI should have made it.

    `python` has the torch of the build.
    """
    if not pathlib.Path(venv, "robust_kbench_ready").exists():
        print(f"{venv} is missing; make it by: python3 {INSTALL} {venv} --torch {python}")
        sys.exit(1 if IN_CI else SKIPPED)


if __name__ == "__main__":
    if IN_CI:
        subprocess.run([sys.executable, str(INSTALL), sys.argv[1], "--torch", sys.argv[2]], check=True)
    require(*sys.argv[1:])
