"""Loads CUDA's libraries that importer/install.py put beside the importer's Python.

Torch looks for them beside itself, but an environment of its own has none there.
"""

import ctypes
import pathlib
import sysconfig


def preload(root=None):
    """Loads the libraries. Those that depend on others are tried again, once these are loaded."""
    root = pathlib.Path(root or pathlib.Path(sysconfig.get_path("purelib"), "nvidia"))
    waiting = [path for directory in sorted(root.glob("*/lib")) for path in directory.iterdir()
               if path.name.startswith("lib") and ".so" in path.name]
    while waiting:
        failed = [path for path in waiting if not is_loaded(path)]
        if len(failed) == len(waiting):
            return
        waiting = failed


def is_loaded(path):
    """Loads a library with local symbols. NVBLAS, which is among them, has the names of torch's
    BLAS."""
    try:
        ctypes.CDLL(str(path), mode=ctypes.RTLD_LOCAL)
    except OSError:
        return False
    return True
