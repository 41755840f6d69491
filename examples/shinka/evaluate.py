"""An evaluation program for ShinkaEvolve, which runs it with --program_path and --results_dir.

Start `rkb serve --listen unix:PATH` before, and set RKB_SOCKET to PATH: all jobs then share one
server, which times one kernel at a time. RKB_TASK, RKB_DIRECTION and RKB_SCOPE say what is evaluated.
"""

import argparse
import json
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))

from rkb_client import Client, score  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program_path", required=True)
    parser.add_argument("--results_dir", required=True, type=pathlib.Path)
    arguments = parser.parse_args()

    with Client() as client:
        final = client.evaluate(arguments.program_path)
    correct = final["verdict"] == "pass"
    metrics = {
        "combined_score": score(final),
        "public": {name: final[name] for name in
                   ("verdict", "speedup", "speedup_low", "speedup_high")},
        "private": {"record": final["record"]},
        "text_feedback": final["reason"],
    }
    arguments.results_dir.mkdir(parents=True, exist_ok=True)
    (arguments.results_dir / "metrics.json").write_text(json.dumps(metrics))
    (arguments.results_dir / "correct.json").write_text(
        json.dumps({"correct": correct, "error": None if correct else final["reason"]}))


if __name__ == "__main__":
    main()
