"""An evaluation program for ShinkaEvolve, which runs it with --program_path and --results_dir.

It needs `pip install ./client`. Start `rkb serve --listen unix:PATH` before, and set RKB_SOCKET to
PATH: all jobs then share one server, which times one kernel at a time. RKB_TASK, RKB_DIRECTION and
RKB_SCOPE say what is evaluated.
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

import entry  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program_path", required=True)
    parser.add_argument("--results_dir", required=True, type=pathlib.Path)
    arguments = parser.parse_args()

    evaluation = entry.evaluate(arguments.program_path)
    metrics = {
        "combined_score": evaluation.score,
        "public": {name: getattr(evaluation, name) for name in
                   ("verdict", "speedup", "speedup_low", "speedup_high", "speedup_replayed")},
        "private": {"record": evaluation.record},
        "text_feedback": evaluation.reason,
    }
    error = None if evaluation.passed else evaluation.reason
    arguments.results_dir.mkdir(parents=True, exist_ok=True)
    (arguments.results_dir / "metrics.json").write_text(json.dumps(metrics))
    (arguments.results_dir / "correct.json").write_text(
        json.dumps({"correct": evaluation.passed, "error": error}))


if __name__ == "__main__":
    main()
