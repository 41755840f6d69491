"""What rkb writes for people on a terminal, elsewhere, and for programs."""

import json
import os
import pathlib
import pty
import subprocess
import tempfile
import unittest

RKB = os.environ["RKB"]
ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = ROOT / "tests/golden/records.json"
GREEN, RED = "\033[32m", "\033[31m"
TEST = ("test", "--task", "mnist_linear", "--direction", "forward", "--kernel", "blocked", "--case",
        "small/batch_size_1.init_method_normal.num_input_features_5.num_output_features_3/seed_1")


# These print no table: a source, a page, a text, JSON anyway, or what another program reads.
WITHOUT_TABLES = {"rkb", "rkb new", "rkb serve", "rkb evolve submit", "rkb archive",
                  "rkb pilot", "rkb archive report", "rkb archive diff", "rkb archive export",
                  "rkb archive adopt", "rkb completion", "rkb help"}


def json_options():
    """The commands of docs/cli.md, and whether they take --json."""
    for section in (ROOT / "docs/cli.md").read_text().split("\n## ")[1:]:
        name = section.partition("\n")[0]
        yield name, "\n  --json TEXT" in section


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

    def test_a_bar_shows_how_far_it_is_on_a_terminal_alone(self):
        bar = r"\r\033\[K\[=*>? *\] +\d+ % mnist_linear\.forward\.blocked: "
        for printed in (on_terminal(*TEST, NO_COLOR="1"), on_terminal(*TEST, "--color", "never")):
            self.assertRegex(printed, bar)
            self.assertNotIn("\033[3", printed)
        # Later bars come at most ten times a second, so only the first one is certain.
        self.assertRegex(on_terminal(*TEST), bar)
        for printed in (on_terminal(*TEST, "--quiet"), on_terminal(*TEST, TERM="dumb"),
                        rkb(*TEST, "--color=always").stderr):
            self.assertNotIn("\033[K", printed)
            self.assertNotIn("%", printed)

    def test_commands_that_print_a_table_print_it_as_json_too(self):
        checks = {check["name"]: check for check in
                  json.loads(rkb("doctor", "--json", "-").stdout)["checks"]}
        self.assertTrue(checks["C++ compiler"]["found"])
        self.assertIn("cores", checks["CPU"]["text"])
        for section, says_json in json_options():
            if section in WITHOUT_TABLES:
                continue
            with self.subTest(section):
                self.assertTrue(says_json, section + " takes no --json")

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

    def test_commands_of_the_agent_have_the_environment(self):
        with tempfile.TemporaryDirectory() as archive:
            result = subprocess.run([RKB, "archive", "list"], check=False, stderr=subprocess.PIPE,
                                    env={**os.environ, "ROBUST_KBENCH_ARCHIVE": archive + "/none"},
                                    text=True)
        self.assertEqual(result.returncode, 2)
        self.assertIn(archive, result.stderr)

    def test_versions_name_the_commit(self):
        found = subprocess.run(["git", "-C", ROOT, "rev-parse", "HEAD"], check=False,
                               stdout=subprocess.PIPE, text=True)
        version = rkb("--version").stdout.splitlines()[0]
        if found.returncode == 0:
            self.assertRegex(version, r"^rkb [0-9.]+, commit [0-9a-f]{12}( with changes)?$")
        else:
            self.assertRegex(version, r"^rkb [0-9.]+$")
