"""An evaluator for OpenEvolve: `openevolve-run my_kernel.cpp examples/openevolve/evaluate.py`.

Start `rkb serve --listen unix:PATH` before, and set RKB_SOCKET to PATH: all of OpenEvolve's processes
then share one server, which times one kernel at a time. RKB_TASK, RKB_DIRECTION and RKB_SCOPE say
what is evaluated.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from rkb_client import Client, score  # noqa: E402


def evaluate(program_path):
    with Client() as client:
        final = client.evaluate(program_path)
    return {
        "combined_score": score(final),
        "correct": float(final["verdict"] == "pass"),
        "speedup": final["speedup"] or 0.0,
    }
