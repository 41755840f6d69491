"""An evaluator for OpenEvolve: `openevolve-run my_kernel.cpp examples/openevolve/evaluate.py`.

It needs `pip install ./client`. Start `rkb serve --listen unix:PATH` before, and set RKB_SOCKET to
PATH: all of OpenEvolve's processes then share one server, which times one kernel at a time. RKB_TASK,
RKB_DIRECTION and RKB_SCOPE say what is evaluated.
"""

import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import entry  # noqa: E402


def evaluate(program_path):
    evaluation = entry.evaluate(program_path)
    return {
        "combined_score": evaluation.score,
        "correct": float(evaluation.passed),
        "speedup": evaluation.speedup or 0.0,
        "speedup_replayed": evaluation.speedup_replayed or 0.0,
    }
