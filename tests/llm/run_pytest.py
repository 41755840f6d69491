"""run_pytest.py PYTHON FILE: runs a file of this directory by a Python that has pytest.

If that Python or its pytest is missing it prints how to get it, and exits with 77, which CTest
shows as skipped.
"""

import os
import pathlib
import subprocess
import sys

SKIPPED = 77
python, name = sys.argv[1:]
here = pathlib.Path(__file__).parent
find = "import importlib.util, sys; sys.exit(importlib.util.find_spec('pytest') is None)"
has_pytest = pathlib.Path(python).exists() and \
    subprocess.run([python, "-c", find], check=False).returncode == 0
if not has_pytest:
    install = here.parents[1] / "llm/install.py"
    print(f"{python} with pytest is missing; make it by: "
          f"{install} {pathlib.Path(python).parents[1]} --test")
    sys.exit(SKIPPED)
surroundings = {**os.environ, "PYTHONPATH": str(here.parents[1] / "llm"),
                "PYTHONDONTWRITEBYTECODE": "1"}
sys.exit(subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(here / name)],
                        check=False, env=surroundings).returncode)
