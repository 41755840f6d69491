"""pip makes a wheel of the client, and the installed package evaluates kernels.

usage: package_test.py CLIENT VERSION RKB, which needs network or pip's own settings for the build of wheels
"""

import pathlib
import shutil
import subprocess
import sys
import tempfile

CHECK = """
import rkb_client, sys
assert rkb_client.__file__.startswith(sys.prefix), rkb_client.__file__
with rkb_client.Client(sys.argv[1]) as client:
    assert "mnist_linear" in client.tasks
"""
client, version, rkb = sys.argv[1:]
with tempfile.TemporaryDirectory() as directory:
    sources = shutil.copytree(client, pathlib.Path(directory, "client"))  # pip builds in its place
    venv = pathlib.Path(directory, "venv")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    pip = [venv / "bin/python", "-m", "pip", "--disable-pip-version-check", "--quiet"]
    subprocess.run([*pip, "wheel", "--no-deps", "--wheel-dir", directory, sources], check=True)
    wheel = pathlib.Path(directory, f"rkb_client-{version}-py3-none-any.whl")
    subprocess.run([*pip, "install", "--no-index", wheel], check=True)
    subprocess.run([venv / "bin/python", "-c", CHECK, rkb], check=True, cwd=directory)
