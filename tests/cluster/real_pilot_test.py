"""A pilot evaluates as this machine would, and kernels do not see the folder of the run.

usage: real_pilot_test.py BUILD DIRECTORY
"""

import json
import pathlib
import shutil
import sys

from recorded_run import ROOT, Program, RecordedRun, evolve_run

BUILD, DIRECTORY = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
ENTRY = "mnist_linear.forward"
LONGEST_WAIT_S = 280
# It is right unless it sees the folder.
LOOKS = """#include <unistd.h>
namespace {{
const bool sees_the_folder = access("{folder}", F_OK) == 0;
}}
"""


def source(folder):
    plain = evolve_run.plain_kernel(ENTRY)
    looking = plain.replace("return y;", "if (sees_the_folder) y.data_ptr<float>()[0] = 1e9f;\n"
                                         "  return y;")
    assert looking != plain
    include = "#include <torch/extension.h>\n"
    return looking.replace(include, include + LOOKS.format(folder=folder))


def evaluates_files():
    """Two files have the verdicts and the order that this machine would give them."""
    right, wrong = ROOT / "kernels/mnist_linear/forward/blocked.cpp", DIRECTORY / "wrong.cpp"
    wrong.write_text("this does not compile")
    records = DIRECTORY / "records.json"
    command = [BUILD / "bin/rkb", "evaluate", "--task", "mnist_linear", "--no-bench", "--scope",
               "listed", "--seeds", "1", "--workers", "own", "--run-directory",
               DIRECTORY / "files", "--json", records, wrong, right]
    coordinator = Program(command, DIRECTORY / "evaluate.txt")
    pilot = Program([BUILD / "bin/rkb", "pilot", "--device", "cpu", DIRECTORY / "files"],
                    DIRECTORY / "pilot_of_files.txt")
    assert coordinator.process.wait(LONGEST_WAIT_S) == 1, coordinator.text()
    assert pilot.process.wait(LONGEST_WAIT_S) == 0, pilot.text()
    kernels = json.loads(records.read_text())["kernels"]
    assert [kernel["verdict"] for kernel in kernels] == ["compile_error", "pass"], kernels
    assert [kernel["path"] for kernel in kernels] == [str(wrong), str(right)], kernels
    assert str(wrong) in kernels[0]["reason"], kernels[0]["reason"]


def looks_for_the_folder():
    run = RecordedRun(BUILD, DIRECTORY, {"looks": source(DIRECTORY / "shared/run_directory")},
                      entry=ENTRY)
    try:
        run.settings += ["allow=files", "configs=small"]
        coordinator = run.coordinator(pilots=1)
        pilot = run.begin("pilot", [run.rkb, "pilot", run.run_directory, "--device", "cpu"])
        assert coordinator.process.wait(LONGEST_WAIT_S) == 0, coordinator.text()
        assert pilot.process.wait(LONGEST_WAIT_S) == 0, pilot.text()
        proposal, = run.proposals()
        assert proposal["reason_class"] in ("slower", "no_gain", ""), proposal
        assert set(proposal["seconds"]) >= {"compile", "screen"}, proposal
    finally:
        run.end()


if __name__ == "__main__":
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    DIRECTORY.mkdir(parents=True)
    evaluates_files()
    looks_for_the_folder()
