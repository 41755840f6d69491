"""torch_source_test.py VENV PYTHON CMAKE CTEST SOURCE BINARY [ARGUMENT of cmake]...

A project's build imports a task's source, again only after a change, and its kernel passes. VENV is
the environment of imports, and PYTHON has the torch of the build.
"""

import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "importer"))

import environment  # noqa: E402

venv, python, cmake, ctest, source, binary, *arguments = sys.argv[1:]


def run(*command):
    print("$", *command, flush=True)
    done = subprocess.run(command, check=False, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT)
    print(done.stdout, flush=True)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}")
    return done.stdout


def was_imported(output):
    return re.search("^row_scale +imported +module +forward ", output, re.MULTILINE)


def expect(what, holds):
    if not holds:
        sys.exit(f"expected: {what}")


environment.require(venv, python)
copy = pathlib.Path(f"{binary}.sources")
for directory in (copy, pathlib.Path(binary)):
    shutil.rmtree(directory, ignore_errors=True)
shutil.copytree(source, copy)
run(cmake, "-S", str(copy), "-B", binary, *arguments, "-D", f"RobustKBench_PYTHON={venv}/bin/python",
    "-D", "CMAKE_BUILD_TYPE=Debug")
build = (cmake, "--build", binary, "--parallel", "2")
expect("the build imports the source", was_imported(run(*build)))
expect("an import for a change alone", not was_imported(run(*build)))
listed = run(f"{binary}/bin/rkb", "list", "row_scale")
expect("CONFIG is listed", "multi/rows_5/seed_1" in listed)
run(ctest, "--test-dir", binary, "--no-tests=error", "--parallel", "2")
module = copy / "my_op.py"
module.write_text(module.read_text().replace("x * weight", "x * weight * 2"))
expect("a change is imported", was_imported(run(*build)))
failed = subprocess.run([ctest, "--test-dir", binary, "--parallel", "2"], check=False,
                        stdout=subprocess.DEVNULL)
expect("the kernel is tested against the changed source", failed.returncode != 0)
