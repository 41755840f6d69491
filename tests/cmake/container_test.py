"""The last stage of the Containerfile works in a bare Debian, which it fills with the .deb.

usage: container_test.py ROOT PACKAGES TORCH

PACKAGES holds what CPack made, and TORCH is the directory of torch in a Python's packages. The
stage's own instructions are carried out, since no container can be built where there is no engine.
Without root, mmdebstrap or Debian's server it exits with 77, which CTest shows as skipped.
"""

import glob
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from container_file import stages_of

SKIPPED = 77
root, packages, torch = (pathlib.Path(word).resolve() for word in sys.argv[1:])
# What the first stage leaves, as this build has it.
BUILT = {"/src/build/robust/packages/*.deb": packages / "*.deb",
         "/src/.venv/lib/python3.11/site-packages": torch.parent}
MOUNTS = """
if [ -d "$1/opt/packages" ]; then mount --bind -o ro "$2" "$1/opt/packages"; fi
mount -t proc proc "$1/proc"
mount --rbind /dev "$1/dev"
mount --rbind /sys "$1/sys"
exec chroot "$1" sh -ec "$3"
"""


def skip(why):
    print(f"skipped: {why}")
    sys.exit(SKIPPED)


def run(debian, command):
    """Runs a shell's command in the Debian, and returns what it prints."""
    print(f"$ {command}", flush=True)
    return subprocess.run(
        ["unshare", "--mount", "bash", "-euc", MOUNTS, "_", debian, torch.parent, command],
        check=True, stdout=subprocess.PIPE, text=True).stdout


def copy(debian, words):
    """Carries out a COPY. Torch's packages are mounted in place, as they have some gigabytes."""
    source, target = words.removeprefix("--from=build ").split()
    place = debian / target.lstrip("/")
    place.mkdir(parents=True, exist_ok=True)
    if BUILT[source] != torch.parent:
        for path in glob.glob(str(BUILT[source])):
            shutil.copy(path, place)


def main():
    if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
        skip("it needs root and mmdebstrap")
    stage = stages_of((root / "Containerfile").read_text())[-1]
    assert stage[0] == ("FROM", "docker.io/library/debian:12"), stage[0]
    with tempfile.TemporaryDirectory() as directory:
        debian = pathlib.Path(directory)
        # What is left out, and not synced to the disk, takes half of the time.
        options = ["--dpkgopt=force-unsafe-io", "--skip=check/empty",
                   *(f"--dpkgopt=path-exclude=/usr/share/{name}/*"
                     for name in ("doc", "info", "locale", "man"))]
        made = subprocess.run(["mmdebstrap", "--variant=minbase", "--quiet", *options, "bookworm",
                               debian], check=False)
        if made.returncode != 0:
            skip("Debian's packages are out of reach")
        for keyword, words in stage[1:-1]:
            {"RUN": run, "COPY": copy}[keyword](debian, words)
        assert stage[-1] == ("ENTRYPOINT", '["rkb"]'), stage[-1]
        shutil.copy(root / "tasks/mnist_linear/forward.cpp", debian / "kernel.cpp")
        said = run(debian, "rkb evaluate --task mnist_linear --no-bench --scope quick /kernel.cpp")
        assert "1 passed" in said, said
        # Without a CUDA toolkit it says what to do there, where no build is.
        told = run(debian, "rkb doctor")
        assert "none: CUDA kernels are not compiled; install the CUDA toolkit, and have " in told, told
        assert "cmake" not in told, told
        # Nothing of it stays behind.
        run(debian, "apt-get remove -y -qq robust-kbench && test ! -e /usr/lib/robust_kbench")


main()
