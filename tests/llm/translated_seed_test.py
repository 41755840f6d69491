"""Runs that should begin with a translation, and have none. $RKB is the program."""

import os
import subprocess

from verify_test import Person

LIMIT_S = 100


def test_the_run_begins_with_other_kernels_where_no_translation_is_right(tmp_path):
    archive = tmp_path / "archive"
    settings = ("transport=manual", "translate_attempts=1", "max_generations=1", "population=1",
                "votes=off", "profile=false", "configs=small", "minutes=10")
    person = Person(archive, lambda _name, _text, _mark: "I cannot write it.")
    person.start()
    try:
        done = subprocess.run(
            [os.environ["RKB"], "evolve", "--task", "mnist_pool", "--device", "cpu", "--preset",
             "paper", "--unsafe", "--archive", archive,
             *(word for setting in settings for word in ("--set", setting))],
            capture_output=True, text=True, check=False, timeout=LIMIT_S)
    finally:
        person.ends.set()
        person.join()
    assert done.returncode == 0, done.stderr
    assert "translate-1.md" in person.pages
    assert "attempt 1: malformed: " in done.stderr
    assert "] begins with " in done.stderr
    assert any(name.startswith("propose-") for name in person.pages)
