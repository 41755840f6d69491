"""The lock files, and an installation that cannot be made."""

import importlib.metadata
import os
import re
import runpy
import subprocess
import sys

import pytest
from helper import ROOT

INSTALL = ROOT / "llm/install.py"


def packages(name):
    """The hashes in a lock file by the package and version that they belong to."""
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


def test_this_environment_has_what_the_lock_says():
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


def test_old_python_is_named(monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "version_info", (3, 10, 1))
    monkeypatch.setattr(sys, "argv", ["install.py", str(tmp_path / "venv")])
    with pytest.raises(SystemExit, match="is Python 3.10; the helper needs Python 3.11 or newer"):
        runpy.run_path(str(INSTALL), run_name="__main__")
    assert not (tmp_path / "venv").exists()
