"""What rkb writes for people on a terminal, elsewhere, and for programs."""

import json
import os
import pathlib
import pty
import subprocess
import unittest

RKB = os.environ["RKB"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = ROOT / "tests/golden/records.json"
GREEN, RED = "\033[32m", "\033[31m"
TEST = ("test", "--task", "mnist_linear", "--direction", "forward", "--kernel", "blocked", "--case",
        "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3/seed_1")


def rkb(*words):
    return subprocess.run([RKB, *words], check=False, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True)


def on_terminal(*words, **environment):
    """Returns what a command prints on a terminal."""
    ours, its = pty.openpty()
    with subprocess.Popen([RKB, *words], stdin=its, stdout=its, stderr=its,
                          env={**os.environ, "TERM": "xterm", "NO_COLOR": "", **environment}):
        os.close(its)
        printed = b""
        try:
            while chunk := os.read(ours, 4096):
                printed += chunk
        except OSError:
            pass  # Linux says so at the end of a terminal
    os.close(ours)
    return printed.decode()


class TerminalTest(unittest.TestCase):
    def test_verdicts_have_colours_on_a_terminal_alone(self):
        self.assertIn(GREEN + "pass", on_terminal("report", str(RECORDS)))
        self.assertIn(RED, on_terminal("report", str(RECORDS)))
        self.assertNotIn("\033[3", on_terminal("report", str(RECORDS), NO_COLOR="1"))
        self.assertNotIn("\033[3", on_terminal("report", str(RECORDS), "--color", "never"))
        self.assertNotIn("\033", rkb("report", RECORDS).stdout)
        self.assertIn(GREEN, rkb("report", RECORDS, "--color=always").stdout)

    def test_progress_begins_at_once_and_is_kept_from_stderr_by_quiet(self):
        loud, quiet = rkb(*TEST), rkb(*TEST, "--quiet")
        self.assertIn("mnist_linear.forward.blocked: ", loud.stderr.splitlines()[0])
        self.assertEqual(quiet.stderr, "")
        self.assertIn("1 passed", quiet.stdout)

    def test_errors_are_json_where_results_are(self):
        for words, complaint in ((("list", "mnist_liner"), "mnist_linear"),
                                 (("test", "--direction", "up"), "--direction"),
                                 (("filter", "mnist_liner"), "mnist_linear"),
                                 (("evaluate", "--tsak", "x"), "--task")):
            with self.subTest(words):
                result = rkb(*words, "--json", "-")
                error = json.loads(result.stdout)["error"]
                self.assertEqual((error["exit_code"], result.returncode), (2, 2))
                self.assertIn(complaint, error["message"])
                self.assertEqual(result.stderr, f"rkb: {error['message']}\n")
                self.assertEqual(rkb(*words).stdout, "")

    def test_versions_name_the_commit(self):
        found = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], check=False,
                               stdout=subprocess.PIPE, text=True)
        version = rkb("--version").stdout.splitlines()[0]
        if found.returncode == 0:
            self.assertRegex(version, r"^rkb [0-9.]+, commit [0-9a-f]{12}( with changes)?$")
        else:
            self.assertRegex(version, r"^rkb [0-9.]+$")
