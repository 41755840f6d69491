"""Shells complete what the parsers of rkb and rkb_agent know. A shell that is not here is left out."""

import os
import pathlib
import re
import shutil
import subprocess
import unittest

RKB = os.environ["RKB"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
# A shell's own way to complete the words "$@", of which the last may be unfinished or empty.
ASK = {
    "bash": 'COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rkb; printf "%s\\n" "${COMPREPLY[@]}"',
    "zsh": 'emulate ksh; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _rkb; '
           'print -l -- "${COMPREPLY[@]}"',
    "fish": 'complete -C "$argv"',
}
EXPECTED = {
    ("rkb", "tes"): {"test"},
    ("rkb", "archive", "l"): {"list"},
    ("rkb", "test", "--direction", ""): {"forward", "backward"},
    ("rkb", "test", "--task", "mnist_linear"): {"mnist_linear", "mnist_linear_relu"},
    ("rkb", "evolve", "submit", "--uns"): {"--unsafe"},
    ("rkb", "evolve", "--quie"): {"--quiet"},  # of the program, whose options follow any command
    ("rkb", "help", "tune-"): {"tune-verifier"},
    ("rkb", "completion", "z"): {"zsh"},
}


def script_of(shell):
    return subprocess.run([RKB, "completion", shell], check=True, stdout=subprocess.PIPE,
                          text=True).stdout


def complete(shell, script, words):
    start = {"bash": ["bash", "-c"], "fish": ["fish", "--no-config", "-c"],
             "zsh": ["zsh", "-f", "-c"]}[shell]
    begin = "autoload -U compinit; compinit -D\n" if shell == "zsh" else ""
    last = [] if shell == "fish" else ["_"]
    result = subprocess.run([*start, begin + script + "\n" + ASK[shell], *last, *words], check=True,
                            stdout=subprocess.PIPE, text=True)
    # zsh itself leaves out what begins otherwise.
    found = {line.split("\t")[0] for line in result.stdout.splitlines()}
    return {word for word in found if word and word.startswith(words[-1])}


def sections():
    """The commands of docs/cli.md, each with its options."""
    for section in (ROOT / "docs/cli.md").read_text().split("\n## ")[1:]:
        command, _, text = section.partition("\n")
        lines = re.findall(r"^  (-\S+)", text, re.MULTILINE)
        yield command, {name for line in lines for name in line.split(",")}


class CompletionTest(unittest.TestCase):
    def test_shells_complete_commands_options_and_values(self):
        shells = [shell for shell in ASK if shutil.which(shell)]
        self.assertIn("bash", shells)
        for shell in shells:
            script = script_of(shell)
            for words, expected in EXPECTED.items():
                with self.subTest(shell=shell, words=words):
                    self.assertEqual(complete(shell, script, words), expected)

    def test_every_command_of_the_documents_is_completed(self):
        script = script_of("bash")
        known = {command: set(words.split()) for command, words in
                 re.findall(r"^    '([^']+)'\) echo '([^']*)' ;;$", script, re.MULTILINE)}
        compared = 0
        for command, options in sections():
            if not command.startswith("rkb_"):
                compared += 1
                self.assertEqual({word for word in known[command] if word.startswith("-")}, options,
                                 command)
        self.assertGreater(compared, 25)
