"""A pilot evaluates as this machine would, and kernels do not see the folder of the run.

usage: real_pilot_test.py BUILD DIRECTORY
"""

import pathlib
import shutil
import sys

from recorded_run import RecordedRun, evolve_run

BUILD, DIRECTORY = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
ENTRY = "mnist_linear.forward"
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


def main():
    shutil.rmtree(DIRECTORY, ignore_errors=True)
    DIRECTORY.mkdir(parents=True)
    run = RecordedRun(BUILD, DIRECTORY, {"looks": source(DIRECTORY / "shared/run_directory")},
                      entry=ENTRY)
    try:
        run.settings += ["allow=files", "configs=small"]
        coordinator = run.coordinator(pilots=1)
        pilot = run.begin("pilot", [run.rkb, "pilot", run.run_directory, "--device", "cpu"])
        assert coordinator.wait() == 0, coordinator.text()
        assert pilot.wait() == 0, pilot.text()
        proposal, = run.proposals()
        assert proposal["reason_class"] in ("slower", "no_gain", ""), proposal
        assert set(proposal["seconds"]) >= {"compile", "screen"}, proposal
    finally:
        run.end()


if __name__ == "__main__":
    main()
