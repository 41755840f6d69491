"""Loading libraries for torch does not change the symbols of the process."""

import ctypes
import pathlib
import subprocess
import tempfile
import unittest

from importer.cuda_libraries import preload

# NVBLAS is such a library: it has every name of a BLAS, but torch has another one's.
SOURCE = "int name_of_another_library(void) { return 1; }\n"


class CudaLibrariesTest(unittest.TestCase):
    def test_a_library_beside_torch_replaces_no_name(self):
        with tempfile.TemporaryDirectory() as root:
            library = pathlib.Path(root, "some", "lib", "libsome.so.1")
            library.parent.mkdir(parents=True)
            subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], check=True,
                           input=SOURCE, text=True)
            preload(root)
            self.assertIn(str(library), pathlib.Path("/proc/self/maps").read_text())
            self.assertFalse(hasattr(ctypes.CDLL(None), "name_of_another_library"))
