#!/usr/bin/env python3
"""Makes a virtual environment in which the importer can `import torch`.

  install.py VENV [--torch PYTHON]

PYTHON has torch (bootstrap.sh makes .venv/bin/python), but may be unable to import it. Its torch is
used, and missing packages are installed into VENV (requirements.txt). CUDA's libraries that torch
links and this machine lacks are installed, too. pip's own settings apply. A repeated call does
nothing twice.
"""

import argparse
import fcntl
import hashlib
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
REQUIREMENTS = HERE / "requirements.txt"
STAMP = "robust_kbench_ready"  # written last: without it the environment is incomplete
FIND_TORCH = ("import importlib.util, os; "
              "print(os.path.dirname(importlib.util.find_spec('torch').submodule_search_locations[0]))")
# A library that torch may miss, by the beginning of its name, and the package that contains it.
PACKAGES = {"libcufile": "nvidia-cufile>=1.15", "libcusparseLt": "nvidia-cusparselt-cu13>=0.8.0",
            "libnvshmem": "nvidia-nvshmem-cu13>=3.4.5", "libcudnn": "nvidia-cudnn-cu13==9.19.0.56",
            "libnccl": "nvidia-nccl-cu13==2.28.9", "libcublas": "nvidia-cublas<14",
            "libcusparse": "nvidia-cusparse<13", "libcusolver": "nvidia-cusolver<13",
            "libcufft": "nvidia-cufft<13", "libcurand": "nvidia-curand<11",
            "libnvJitLink": "nvidia-nvjitlink<14", "libnvrtc": "nvidia-cuda-nvrtc<14",
            "libcudart": "nvidia-cuda-runtime<14", "libcupti": "nvidia-cuda-cupti<14",
            "libnvToolsExt": "nvidia-nvtx<14"}
IMPORT = "from importer.cuda_libraries import preload; preload(); import torch"
MISSING = re.compile(r"(lib\w+)[\w.-]*\.so[\d.]*: cannot open shared object")


def die(text):
    sys.exit("install.py: " + text)


def run(*command):
    if subprocess.run(command, stdout=sys.stderr, check=False).returncode != 0:
        die(f"'{' '.join(command)}' failed, see above; it takes packages from PyPI or from where "
            "pip's settings say (PIP_INDEX_URL, PIP_FIND_LINKS)")


def torch_directory(python):
    found = subprocess.run([python, "-c", FIND_TORCH], capture_output=True, text=True, check=False)
    if found.returncode != 0:
        die(f"{python} has no torch; name one that has, by --torch")
    return found.stdout.strip()


def import_error(python):
    """The error of `import torch`, or None where it works."""
    done = subprocess.run([python, "-c", IMPORT], capture_output=True, text=True, check=False,
                          env={**os.environ, "PYTHONPATH": str(HERE.parent)})
    return None if done.returncode == 0 else done.stderr.strip()


def install(venv, torch):
    run(torch, "-m", "venv", "--clear", str(venv))
    python = str(venv / "bin/python")
    pip = [python, "-m", "pip", "--disable-pip-version-check", "--no-input", "install", "--quiet",
           "--only-binary", ":all:"]
    run(*pip, "-r", str(REQUIREMENTS))
    site = next((venv / "lib").glob("python3*")) / "site-packages"
    (site / "torch_of_the_suite.pth").write_text(torch_directory(torch) + "\n")
    for _ in PACKAGES:
        error = import_error(python)
        if error is None:
            return
        missing = MISSING.search(error)
        prefix = max((p for p in PACKAGES if missing and missing[1].startswith(p)), key=len,
                     default=None)
        if prefix is None:
            die(f"`import torch` fails, and no package is known that helps:\n{error}")
        run(*pip, "--no-deps", PACKAGES[prefix])
    if import_error(python) is not None:
        die(f"`import torch` still fails:\n{import_error(python)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("venv", type=pathlib.Path)
    parser.add_argument("--torch", default=sys.executable, metavar="PYTHON")
    options = parser.parse_args()
    venv = pathlib.Path(os.path.abspath(options.venv))
    wanted = f"{torch_directory(options.torch)} {hashlib.sha256(REQUIREMENTS.read_bytes()).hexdigest()}"
    venv.parent.mkdir(parents=True, exist_ok=True)
    with open(str(venv) + ".lock", "w", encoding="utf-8") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        stamp = venv / STAMP
        if stamp.exists() and stamp.read_text() == wanted and \
                import_error(str(venv / "bin/python")) is None:
            return
        print(f"Installing what the importer needs into {venv}", file=sys.stderr)
        install(venv, options.torch)
        stamp.write_text(wanted)


if __name__ == "__main__":
    main()
