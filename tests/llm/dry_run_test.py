"""`--dry-run` tells the likely cost of models, and that a cap is the limit. $RKB is the program."""

import os
import pathlib
import re
import subprocess
import sys

import pytest
from helper import ROOT, Helper

sys.path.insert(0, str(ROOT / "tests/evolution"))

import own_session  # noqa: E402
from verify_test import KERNEL, small_set  # noqa: E402

LIMIT_S = 100
MODEL = "openai/gpt-5.6-terra"
SMALL = ("--set", "max_generations=1", "--set", "population=1", "--set", "votes=off",
         "--set", "translate=false", "--set", f"models={MODEL}")
LIKELY = re.compile(r"(\d+) of up to (\d+) questions, with (\d+) tokens, for \$(\d+\.\d+)")


def rkb(*arguments, **options):
    return run("evolve", "--device", "cpu", *arguments, **options)


def run(*arguments, **options):
    return subprocess.run([os.environ["RKB"], *arguments], capture_output=True, text=True,
                          check=False, timeout=LIMIT_S, **options)


def planned(tmp_path, *arguments):
    """The number of questions that --dry-run of any command tells a person. No run begins."""
    shown = run(*arguments, "--model", MODEL, "--dry-run", "--archive", tmp_path / "archive")
    assert shown.returncode == 0, shown.stderr
    assert not (tmp_path / "archive").exists()
    (likely,) = plans(shown.stdout)
    assert likely[2] > 0 and likely[3] > 0
    assert "At most it costs your cap, which is not set yet." in shown.stdout
    return likely[1]


def planned_by_a_person(tmp_path, *arguments):
    """The output of --dry-run for a person who has a key and gives a cap."""
    def main():
        shown = rkb(*arguments, "--dry-run", "--max-usd", "1", "--archive", tmp_path / "archive",
                    env={**os.environ, "OPENAI_API_KEY": "planted-key",
                         "XDG_CONFIG_HOME": str(tmp_path)})
        (tmp_path / "out.txt").write_text(shown.stdout)
        (tmp_path / "err.txt").write_text(shown.stderr)
        return shown.returncode
    status = own_session.in_own_session(main)
    assert status == 0, (tmp_path / "err.txt").read_text()
    assert not (tmp_path / "archive").exists()
    return pathlib.Path(tmp_path / "out.txt").read_text()


def plans(text):
    return [(int(likely), int(most), int(tokens), float(dollars))
            for likely, most, tokens, dollars in LIKELY.findall(text)]


def test_a_plan_needs_neither_cap_nor_key(tmp_path):
    environment = {name: value for name, value in os.environ.items() if "KEY" not in name}
    shown = rkb("--task", "mnist_pool", *SMALL, "--dry-run", "--archive", tmp_path / "archive",
                env={**environment, "XDG_CONFIG_HOME": str(tmp_path)})
    assert shown.returncode == 0, shown.stderr
    assert len(plans(shown.stdout)) == 1, shown.stdout
    assert "without a cap nothing of this is asked" in shown.stderr
    assert not (tmp_path / "archive").exists()


def test_likely_tokens_are_of_the_rendered_prompt_and_usual_answers(tmp_path):
    prompt = rkb("--task", "mnist_pool", *SMALL, "--show-prompt").stdout.encode()
    text = planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL, "--set", "context_size=1")
    assert "Likely for 1 generations: " in text
    ((likely, most, tokens, dollars),) = plans(text)
    assert (likely, most) == (1, 1)
    answer = int(re.search(r"usual answers with their thoughts: (\d+) tokens for a kernel", text)[1])
    # A request escapes ends of lines.
    assert 0 <= tokens - answer - len(prompt) // 4 <= len(prompt) // 8
    helper = Helper({})
    usual = helper.request("estimate", model=MODEL, input_bytes=tokens - answer,
                           max_output_tokens=answer)["usual_micro_usd"]
    assert helper.close() == 0
    assert dollars == pytest.approx(usual / 1e6, abs=1e-6)


def test_the_most_is_the_cap_with_the_place_that_has_set_it(tmp_path):
    text = planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL)
    assert "At most it costs your cap of $1.00 (--max-usd)." in text
    settings = tmp_path / "settings.json"
    settings.write_text('{"max_usd": 0.5, "max_calls": 3}')
    text = planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL, "--settings", settings)
    assert (f"your cap of $0.50 (the setting max_usd of {settings}), 3 calls (the setting "
            f"max_calls of {settings}).") in text


def test_a_translation_counts_where_one_is_made(tmp_path):
    without = plans(planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL))
    text = planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL, "--translate", "--set",
                               "translate_attempts=3")
    assert "after the translation" in text
    assert plans(text)[0][1] == without[0][1] + 3 + 2


def test_likely_cost_of_all_entries_is_the_sum_of_theirs(tmp_path):
    *entries, total = plans(planned_by_a_person(tmp_path, "--all", *SMALL))
    assert len(entries) > 10
    assert total[:3] == tuple(sum(entry[i] for entry in entries) for i in range(3))
    assert total[3] == pytest.approx(sum(entry[3] for entry in entries))


def test_a_translation_is_planned(tmp_path):
    kernel = tmp_path / "kernel.cpp"
    command = ("translate", "--task", "mnist_pool", kernel)
    assert planned(tmp_path, *command) == 10 + 9, "the last error is not condensed"
    assert planned(tmp_path, *command, "--attempts", "2", "--set", "error_summary=false") == 2
    assert not kernel.exists()
    refused = run(*command, "--dry-run", "--resume", "any")
    assert "--dry-run plans a new run" in refused.stderr


def test_reviews_are_planned(tmp_path):
    command = ("verify", "--task", "mnist_pool", KERNEL, KERNEL)
    assert planned(tmp_path, *command) == 2 * 3 * 2, "two kernels, three verifiers, a second look"
    assert planned(tmp_path, *command, "--verifier", "memory", "--reflections", "0") == 2
    data = small_set(tmp_path / "set.json")
    of_set = ("verify", "--labelled-set", data, "--verifier", "numerics", "--reflections", "0")
    assert planned(tmp_path, *of_set) == 3
    assert planned(tmp_path, *of_set, "--split", "held_out") == 1


def test_the_tuning_of_a_verifier_is_planned(tmp_path):
    data = small_set(tmp_path / "set.json")
    command = ("tune-verifier", "--verifier", "numerics", "--labelled-set", data, "--reflections", "0",
               "--generations", "3")
    reviews = (1 + 3) * 2 + 1
    assert planned(tmp_path, *command) == reviews + 3 + 3
    assert planned(tmp_path, *command, "--no-summary") == reviews + 3


def test_the_plan_tells_the_share_of_tune_and_that_a_person_is_asked():
    shown = rkb("--task", "mnist_pool", *SMALL, "--set", "proposers=llm,tune", "--set",
                "transport=manual", "--set", "tune_share=0.4", "--dry-run")
    assert shown.returncode == 0, shown.stderr
    assert ("Proposals come from llm, tune (tune has 40 % of the turns with each parent), 1 in a "
            "generation." in shown.stdout)
    assert "up to 1 questions to a person" in shown.stdout
