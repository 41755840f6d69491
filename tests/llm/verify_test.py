"""`rkb verify` and `rkb tune-verifier`, with a person's answers. $RKB is the program."""

import json
import os
import pathlib
import re
import subprocess
import threading
import time

import pytest
from helper import ROOT

LIMIT_S = 100
KERNEL = ROOT / "tasks/mnist_pool/forward.cpp"


def verdict(mark, valid):
    return json.dumps({"mark": mark, "valid": valid, "class": "none" if valid else "formula",
                       "reasons": ["so it is"], "line": 0})


class Person(threading.Thread):
    """Answers each question of an archive as a function of its name, its text and its mark says."""

    def __init__(self, archive, answer):
        super().__init__(daemon=True)
        self.archive, self.answer, self.pages = archive, answer, {}
        self.ends = threading.Event()

    def run(self):
        while not self.ends.is_set():
            for page in self.archive.glob("runs/*/requests/*.md"):
                text = page.read_text()
                answers = page.parents[1] / "answers"
                if page.name in self.pages or (answers / page.name).exists():
                    continue
                self.pages[page.name] = text
                mark = re.search(r"[Tt]he mark of this message is (\w+)\.", text)[1]
                answers.mkdir(exist_ok=True)
                (answers / "new").write_text(self.answer(page.name, text, mark))
                (answers / "new").rename(answers / page.name)
            time.sleep(0.02)


@pytest.fixture
def ask(tmp_path):
    """Runs a command of rkb whose questions a person answers. Returns it and the person's pages."""
    archive = tmp_path / "archive"

    def ask_as(answer, *command):
        person = Person(archive, answer)
        person.start()
        try:
            done = subprocess.run(
                [os.environ["RKB"], *command, "--transport", "manual", "--archive", archive],
                capture_output=True, text=True, check=False, timeout=LIMIT_S)
        finally:
            person.ends.set()
            person.join()
        return done, person.pages

    return ask_as


def test_three_verifiers_vote_on_a_kernel(ask):
    done, pages = ask(lambda name, _text, mark: verdict(mark, "numerics" not in name),
                      "verify", "--task", "mnist_pool", "--reflections", "0", KERNEL)
    assert done.returncode == 0, done.stderr
    assert f"{KERNEL}: 2 of 3\n" in done.stdout
    assert "numerics     finds an error (formula): so it is" in done.stdout
    assert sorted(pages) == [f"verify-1-{verifier}.md"
                             for verifier in ("compilation", "memory", "numerics")]
    for page in pages.values():
        assert "def forward(" in page and "max pooling over" not in page, "reference, no comments"


def small_set(path):
    def kernel(task, source, valid, split):
        label = {"valid": valid, "found": "" if valid else "differs", "split": split}
        return {"name": source, "task": task, "direction": "forward", "source": f"int {source};",
                "labels": {"numerics": label}}
    path.write_text(json.dumps({"version": 1, "device": "cpu", "kernels": [
        kernel("mnist_pool", "defect_one", False, "tune"),
        kernel("mnist_pool", "clean", True, "tune"),
        kernel("mnist_linear", "secret_defect", False, "held_out")]}))
    return path


def test_a_verifier_is_tuned_and_judged_by_its_matrix(ask, tmp_path):
    def answer(name, text, mark):
        if name.endswith("instructions.md"):
            return "<instructions>\nlook for defects\n</instructions>\n"
        if name.endswith("mistakes.md"):
            return "It overlooks defects."
        code = re.search(r"int (\w+);", text)[1]
        return verdict(mark, not ("defect" in code and "look for defects" in text))

    data = small_set(tmp_path / "set.json")
    tuned, pages = ask(answer, "tune-verifier", "--verifier", "numerics", "--set", data, "--out",
                       tmp_path / "best.txt", "--generations", "1", "--reflections", "0")
    assert tuned.returncode == 0, tuned.stderr
    assert "generation 1: accepted, accuracy 1.00 (0.34..1.00), 2 of 2" in tuned.stdout
    assert "held-out split" in tuned.stdout
    assert pathlib.Path(tmp_path / "best.txt").read_text().strip() == "look for defects"
    for name, page in pages.items():
        assert ("secret" in page) == ("held_out" in name)

    judged, _ = ask(answer, "verify", "--set", data, "--verifier", "numerics", "--reflections", "0",
                    "--instructions", tmp_path / "best.txt", "--json", tmp_path / "matrix.json")
    assert judged.returncode == 0, judged.stderr
    assert "recall     1.00 (0.34..1.00), 2 of 2 wrong kernels" in judged.stdout
    assert json.loads((tmp_path / "matrix.json").read_text())["numerics"]["found"] == 2
