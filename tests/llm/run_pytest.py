"""run_pytest.py PYTHON FILE: runs a file of this directory by a Python that has pytest.

Where that Python is missing it says how to get it and ends with 77, which CTest shows as skipped.
"""

import os
import pathlib
import subprocess
import sys

SKIPPED = 77
python, name = sys.argv[1:]
here = pathlib.Path(__file__).parent
if not pathlib.Path(python).exists():
    install = here.parents[1] / "llm/install.py"
    print(f"{python} is missing; make it by: {install} {pathlib.Path(python).parents[1]} --test")
    sys.exit(SKIPPED)
surroundings = {**os.environ, "PYTHONPATH": str(here.parents[1] / "llm"),
                "PYTHONDONTWRITEBYTECODE": "1"}
sys.exit(subprocess.run([python, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(here / name)],
                        check=False, env=surroundings).returncode)
