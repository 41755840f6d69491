"""run_tests.py VENV PYTHON FILE...: runs files of this directory in the importer's environment.

PYTHON has the torch of the build. If VENV is missing, the test is skipped.
"""

import os
import pathlib
import subprocess
import sys

import environment

venv, python, *names = sys.argv[1:]
environment.require(venv, python)
here = pathlib.Path(__file__).parent
root = here.parents[1]
surroundings = {**os.environ, "PYTHONPATH": f"{root}:{here}", "PYTHONDONTWRITEBYTECODE": "1",
                "OMP_NUM_THREADS": "1"}
modules = [pathlib.Path(name).stem for name in names]
sys.exit(subprocess.run([f"{venv}/bin/python", "-m", "unittest", "-v", *modules], check=False,
                        env=surroundings).returncode)
