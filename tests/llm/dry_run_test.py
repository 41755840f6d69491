"""`rkb evolve --dry-run` says what models are asked at most. $RKB is the program."""

import dataclasses
import os
import pathlib
import re
import subprocess
import sys

import pytest
from helper import ROOT

sys.path.insert(0, str(ROOT / "tests/evolution"))

import own_session  # noqa: E402
from verify_test import KERNEL, small_set  # noqa: E402
from robust_kbench_llm import foreign_text, models, openai_transport, retry, transport  # noqa: E402

LIMIT_S = 100
MODEL = "openai/gpt-5.6-terra"
SMALL = ("--set", "max_generations=1", "--set", "population=1", "--set", "votes=off",
         "--set", "translate=false", "--set", f"models={MODEL}")
BOUND = re.compile(r"(\d+) questions in up to (\d+) attempts, with (\d+) tokens, for \$(\d+\.\d+)")


def rkb(*arguments, **options):
    return run("evolve", "--device", "cpu", *arguments, **options)


def run(*arguments, **options):
    return subprocess.run([os.environ["RKB"], *arguments], capture_output=True, text=True,
                          check=False, timeout=LIMIT_S, **options)


def planned(tmp_path, *arguments):
    """The questions that --dry-run of any command counts for a person. It begins no run."""
    shown = run(*arguments, "--model", MODEL, "--dry-run", "--archive", tmp_path / "archive")
    assert shown.returncode == 0, shown.stderr
    assert not (tmp_path / "archive").exists()
    (bound,) = bounds(shown.stdout)
    assert bound[2] > 0 and bound[3] > 0
    return bound[0]


def planned_by_a_person(tmp_path, *arguments):
    """What --dry-run prints for a person who has a key and gives a cap."""
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


def bounds(text):
    return [(int(questions), int(attempts), int(tokens), float(dollars))
            for questions, attempts, tokens, dollars in BOUND.findall(text)]


def most_rejected():
    """The parameters that an endpoint may turn away, one attempt for each."""
    question = transport.Question("any", [], 1, 0.5, "low", {})
    extras = [row.get("extra", {}) for row in models.load_table()["capabilities"]]
    capability = dataclasses.replace(models.capability_of("any/model"), temperature=True,
                                     effort="reasoning_effort", schema=True,
                                     extra=max(extras, key=len))
    return len(openai_transport.make_body(question, capability).droppable)


def test_a_plan_needs_neither_cap_nor_key(tmp_path):
    environment = {name: value for name, value in os.environ.items() if "KEY" not in name}
    shown = rkb("--task", "mnist_pool", *SMALL, "--dry-run", "--archive", tmp_path / "archive",
                env={**environment, "XDG_CONFIG_HOME": str(tmp_path)})
    assert shown.returncode == 0, shown.stderr
    assert len(bounds(shown.stdout)) == 1, shown.stdout
    assert "without a cap nothing of this is asked" in shown.stderr
    assert not (tmp_path / "archive").exists()


def test_the_upper_bound_has_every_attempt_and_all_that_a_prompt_shows(tmp_path):
    def bound(context_size):
        text = planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL, "--set",
                                   f"context_size={context_size}")
        assert "Upper bound for 1 generations: " in text
        (bound,) = bounds(text)
        return bound

    questions, attempts, tokens, dollars = bound(1)
    charged = max(retry.MOST_ATTEMPTS.values())
    assert questions == 1 and dollars > 0
    assert attempts == charged + most_rejected()
    more = bound(2)[2]
    assert more - tokens >= charged * 4 * foreign_text.LIMITS["source"]
    least = 4 * (foreign_text.LIMITS["source"] + foreign_text.LIMITS["list"]
                 + foreign_text.LIMITS["message"])
    assert tokens >= charged * least


def test_a_translation_counts_where_one_is_made(tmp_path):
    without = bounds(planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL))
    text = planned_by_a_person(tmp_path, "--task", "mnist_pool", *SMALL, "--translate", "--set",
                               "translate_attempts=3")
    assert "after the translation" in text
    assert bounds(text)[0][0] == without[0][0] + 3 + 2


def test_the_bound_of_all_entries_is_the_sum_of_theirs(tmp_path):
    *entries, total = bounds(planned_by_a_person(tmp_path, "--all", *SMALL))
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
    assert "1 questions to a person" in shown.stdout
