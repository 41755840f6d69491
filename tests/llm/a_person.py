"""Runs rkb for a person whose configuration has a stub as an endpoint."""

import json
import os
import subprocess
import sys

from helper import ROOT

sys.path.insert(0, str(ROOT / "tests/evolution"))

import own_session  # noqa: E402

LIMIT_S = 100
MODEL = "openai/gpt-4.1"


def ask_as_a_person(directory, stub, *command):
    """The result of rkb: the texts of stdout, stderr and returncode."""
    configuration = directory / "robust-kbench"
    configuration.mkdir()
    (configuration / "config.json").write_text(json.dumps(
        {"providers": {"openai": {"base_url": f"{stub.url}/v1"}}}))
    told = ("stdout", "stderr", "returncode")

    def main():
        done = subprocess.run(
            [os.environ["RKB"], *command, "--model", MODEL, "--archive", directory / "archive"],
            env={**os.environ, "XDG_CONFIG_HOME": str(directory), "OPENAI_API_KEY": "planted-key"},
            capture_output=True, text=True, check=False, timeout=LIMIT_S)
        for name in told:
            (directory / name).write_text(str(getattr(done, name)))
        return 0

    assert own_session.in_own_session(main) == 0
    return {name: (directory / name).read_text() for name in told}
