"""The wheel that CPack made is installed by pip, and the package finds tasks through `rkb serve`.

usage: package_test.py PACKAGES VERSION RKB
"""

import pathlib
import subprocess
import sys
import tempfile

CHECK = """
import rkb_client, sys
assert rkb_client.__file__.startswith(sys.prefix), rkb_client.__file__
with rkb_client.Client(sys.argv[1]) as client:
    assert "mnist_linear" in client.tasks
"""
packages, version, rkb = sys.argv[1:]
with tempfile.TemporaryDirectory() as directory:
    venv = pathlib.Path(directory, "venv")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    wheel = pathlib.Path(packages, f"rkb_client-{version}-py3-none-any.whl")
    subprocess.run([venv / "bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet",
                    "install", "--no-index", wheel], check=True)
    subprocess.run([venv / "bin/python", "-c", CHECK, rkb], check=True, cwd=directory)
