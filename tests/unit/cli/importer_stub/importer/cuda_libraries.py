"""The stub of the importer needs no libraries of CUDA, and no torch."""

import sys
import types


def preload():
    sys.modules["torch"] = types.ModuleType("torch")
