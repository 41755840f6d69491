"""The examples over `rkb serve` meet the needs of frameworks that evolve programs.

usage: examples_test.py openevolve|shinka ROOT RKB
"""

import importlib.util
import json
import os
import pathlib
import socket
import subprocess
import sys
import tempfile
import time

FRAMEWORK, ROOT, RKB = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
RIGHT = ROOT / "kernels/mnist_linear/forward/blocked.cpp"
WRONG = ROOT / "tests/exploits/skips_the_last_k.cpp"
EXAMPLE = ROOT / "examples" / FRAMEWORK / "evaluate.py"
SCOPE = {
    "seeds": 1,
    "config": "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3",
}


def through_openevolve(program):
    """Evaluates in OpenEvolve's way: imports the file and reads the numbers of evaluate(path)."""
    spec = importlib.util.spec_from_file_location("evaluation_program", EXAMPLE)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    metrics = module.evaluate(str(program))
    assert all(isinstance(value, float) for value in metrics.values()), metrics
    return bool(metrics["correct"]), metrics["combined_score"]


def through_shinka(program):
    """Evaluates in ShinkaEvolve's way: runs the file and reads the directory that it fills."""
    with tempfile.TemporaryDirectory() as directory:
        results = pathlib.Path(directory) / "results"
        subprocess.run([sys.executable, EXAMPLE, "--program_path", program, "--results_dir", results],
                       check=True)
        correct = json.loads((results / "correct.json").read_text())
        metrics = json.loads((results / "metrics.json").read_text())
    assert (correct["error"] is None) == correct["correct"], correct
    return correct["correct"], metrics["combined_score"]


def wait_for(server, path):
    while True:
        assert server.poll() is None, "rkb serve has ended"
        try:
            with socket.socket(socket.AF_UNIX) as probe:
                return probe.connect(path)
        except OSError:
            time.sleep(0.1)


def main():
    evaluate = {"openevolve": through_openevolve, "shinka": through_shinka}[FRAMEWORK]
    os.environ.update(RKB_TASK="mnist_linear", RKB_SCOPE=json.dumps(SCOPE))
    # Both examples import the client.
    os.environ["PYTHONPATH"] = str(ROOT / "client")
    sys.path.insert(0, os.environ["PYTHONPATH"])
    # One of the two examples starts a server of its own.
    os.environ["RKB"] = RKB
    os.environ.pop("RKB_SOCKET", None)
    correct, combined_score = evaluate(WRONG)
    assert not correct and combined_score == 0, combined_score

    with tempfile.TemporaryDirectory() as directory:
        path = os.path.join(directory, "socket")
        with subprocess.Popen([RKB, "serve", "--listen", f"unix:{path}"]) as server:
            os.environ["RKB_SOCKET"] = path
            try:
                wait_for(server, path)
                correct, combined_score = evaluate(RIGHT)
            finally:
                server.terminate()
    assert correct and combined_score > 0, combined_score


if __name__ == "__main__":
    main()
