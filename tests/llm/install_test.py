"""The lock files, and an installation that fails."""

import hashlib
import importlib.metadata
import json
import os
import platform
import re
import runpy
import subprocess
import sys

import pytest
from helper import ROOT

INSTALL = ROOT / "llm/install.py"


def packages(name):
    """The hashes in a lock file by their package and version."""
    text = (ROOT / "llm" / name).read_text().replace("\\\n", "")
    found = {}
    for line in text.splitlines()[1:]:
        requirement, *hashes = line.split()
        assert re.fullmatch(r"[a-z0-9-]+==[0-9.]+", requirement)
        assert hashes and all(re.fullmatch("--hash=sha256:[0-9a-f]{64}", one) for one in hashes)
        found[requirement] = hashes
    return found


def test_lock_of_tests_has_all_that_the_helper_needs():
    helper, tests = packages("requirements.lock"), packages("requirements-test.lock")
    assert helper.items() <= tests.items()
    for name, lock in (("requirements.txt", helper), ("requirements-test.txt", tests)):
        for wanted in (ROOT / "llm" / name).read_text().split():
            assert wanted.lower() in lock


def test_this_environment_has_the_locked_versions():
    for requirement in packages("requirements-test.lock"):
        name, version = requirement.split("==")
        assert importlib.metadata.version(name) == version


def test_installation_that_fails_leaves_no_stamp(tmp_path):
    venv = tmp_path / "venv"
    ended = subprocess.run(
        [sys.executable, INSTALL, venv], capture_output=True, text=True,
        env={"PATH": os.environ["PATH"], "PIP_NO_INDEX": "1"})
    assert ended.returncode == 1
    assert "PIP_INDEX_URL" in ended.stderr
    assert not (venv / "robust_kbench_ready.json").exists()


@pytest.mark.parametrize("minor", [10, 16])
def test_python_without_wheels_is_named(monkeypatch, tmp_path, minor):
    monkeypatch.setattr(sys, "version_info", (3, minor, 1))
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setattr(sys, "argv", ["install.py", str(tmp_path / "venv")])
    with pytest.raises(SystemExit, match=f"is Python 3.{minor}; the lock files have wheels for "
                                         "Python 3.11 to 3.15"):
        runpy.run_path(str(INSTALL), run_name="__main__")
    assert not (tmp_path / "venv").exists()


def test_free_threaded_python_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr("sysconfig.get_config_var", lambda name: name == "Py_GIL_DISABLED")
    monkeypatch.setattr(sys, "argv", ["install.py", str(tmp_path / "venv")])
    with pytest.raises(SystemExit, match="is a free-threaded Python"):
        runpy.run_path(str(INSTALL), run_name="__main__")
    assert not (tmp_path / "venv").exists()


def test_an_existing_environment_serves_every_python(monkeypatch, tmp_path):
    venv = tmp_path / "venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin/python").symlink_to(sys.executable)
    lock = hashlib.sha256((ROOT / "llm/requirements.lock").read_bytes()).hexdigest()
    (venv / "robust_kbench_ready.json").write_text(json.dumps(
        {"python": platform.python_version(), "locks": [lock]}))
    monkeypatch.setattr(sys, "version_info", (3, 16, 1))
    monkeypatch.setattr(sys, "argv", ["install.py", str(venv)])
    runpy.run_path(str(INSTALL), run_name="__main__")


def test_lock_files_and_the_document_name_the_pythons_that_are_installed_for():
    pythons = runpy.run_path(str(INSTALL))["PYTHONS"]
    first, last = (int(python.removeprefix("3.")) for python in (pythons[0], pythons[-1]))
    assert list(pythons) == [f"3.{minor}" for minor in range(first, last + 1)]
    span = f"{pythons[0]} to {pythons[-1]}"
    for name in ("requirements.lock", "requirements-test.lock"):
        assert f" CPython {span} on " in (ROOT / "llm" / name).read_text().splitlines()[0]
    assert f"Python {span}" in (ROOT / "docs/llm_helper.md").read_text()
