"""`rkb evolve --show-prompt` prints the prompt for a model. $RKB is the program."""

import os
import re
import subprocess

import pytest
from helper import ROOT

LIMIT_S = 120


def first_prompt(*arguments):
    shown = subprocess.run(
        [os.environ["RKB"], "evolve", "--task", "mnist_pool", *arguments, "--show-prompt"],
        capture_output=True, text=True, check=False, timeout=LIMIT_S)
    assert shown.returncode == 0, shown.stderr
    return shown.stdout


@pytest.mark.parametrize(("direction", "device", "source"), [
    ("forward", "cpu", "forward.cpp"),
    ("backward", "cpu", "backward.cpp"),
    ("backward", "cuda", "backward.cu"),
])
def test_the_first_prompt_is_shown(direction, device, source):
    text = first_prompt("--direction", direction, "--device", device, "--seed-kernel", "plain")
    assert text.startswith("[system]\n") and "\n[user]\n# Operator mnist_pool." in text
    tag = "cuda" if device == "cuda" else "cpp"
    plain = (ROOT / "tasks/mnist_pool" / source).read_text()
    assert f"\n<{tag}>\n{plain}</{tag}>\n" in text
    assert text.count(plain) == 1 and "Its source is that of the example above." in text
    assert ("torch.autograd.Function" in text) == (direction == "backward")


def test_the_prompt_is_that_of_the_settings():
    shown = first_prompt("--set", "left_out=0")
    assert "\n## Configs\n" in shown
    all_ideas = shown.partition("## Ideas that often help")[2].count("\n- ")
    assert all_ideas > 4
    without = first_prompt("--set", "left_out=1", "--set", "show_shapes=false")
    assert "## Ideas that often help" not in without and "## Configs" not in without


def test_the_papers_prompt_is_shown_before_anything_is_translated():
    text = first_prompt("--device", "cpu", "--preset", "paper", "--set", "transport=manual")
    assert "# Operator mnist_pool." in text and "## Configs" not in text


def test_a_kernel_is_shown_with_its_headers():
    text = first_prompt("--seed-kernel", "row_pairs")
    mark = re.search(r"The mark of this message is (\w+)\.", text)[1]
    for name in ("check.hpp", "parallel.hpp", "pool_window.hpp"):
        header = (ROOT / "kernels/common" / name).read_text()
        assert re.search(rf"\[{mark} begin: header \d\]\n// {re.escape(name)}\n", text), name
        assert text.count(header) == 1, name
