"""run_tests.py VENV PYTHON FILE...: runs files of this directory in the importer's environment.

PYTHON has the torch of the build. If VENV is missing, the test prints how to make it, and exits
with 77, which CTest shows as skipped. With ROBUST_KBENCH_CI set it is made.
"""

import os
import pathlib
import subprocess
import sys

SKIPPED = 77
venv, python, *names = sys.argv[1:]
here = pathlib.Path(__file__).parent
root = here.parents[1]
install = [str(root / "importer/install.py"), venv, "--torch", python]
if os.environ.get("ROBUST_KBENCH_CI"):
    subprocess.run([sys.executable, *install], check=True)
elif not pathlib.Path(venv, "robust_kbench_ready").exists():
    print(f"{venv} is missing; make it by: {' '.join(install)}")
    sys.exit(SKIPPED)
surroundings = {**os.environ, "PYTHONPATH": f"{root}:{here}", "PYTHONDONTWRITEBYTECODE": "1",
                "OMP_NUM_THREADS": "1"}
modules = [pathlib.Path(name).stem for name in names]
sys.exit(subprocess.run([f"{venv}/bin/python", "-m", "unittest", "-v", *modules], check=False,
                        env=surroundings).returncode)
