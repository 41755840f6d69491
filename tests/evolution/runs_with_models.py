"""Runs of `rkb evolve` that ask the stub of models, for the tests here."""

import collections
import contextlib
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import recorded_evaluations  # noqa: E402
import stub_models  # noqa: E402

SKIPPED = 77
LIMIT_S = 300
TASK = recorded_evaluations.RUN.entry.partition(".")[0]
RUN = f"{TASK}.forward.cpu.1"
MODELS = ["openai/gpt-4.1", "openai/o3", "openai/gpt-5.6-terra", "anthropic/claude-sonnet-4-6",
          "google/gemini-3.8-flash"]
CLOCK_COLUMNS = {"seconds", "created_at", "run"}


def check(condition, *seen):
    if not condition:
        raise AssertionError(" ".join(map(str, seen)))


def lacks_python(build):
    """Whether the helper's Python is missing, which is then printed."""
    python = stub_models.python_of(build)
    if not python.exists():
        print(f"{python} is missing; make it by: llm/install.py {python.parent.parent}")
    return not python.exists()


def start(rkb, task, archive, options, environment=None):
    archive.mkdir(parents=True, exist_ok=True)
    with open(archive / "output.txt", "a", encoding="utf-8") as output:
        return subprocess.Popen([rkb, "evolve", "--task", task, "--device", "cpu", "--archive",
                                 archive, *options], stdout=output, stderr=output, env=environment)


def ended(archive, run=RUN):
    """The reason why the run has ended."""
    with sqlite3.connect(archive / "archive.sqlite") as database:
        state, reason = database.execute("SELECT state, stop_reason FROM runs WHERE id = ?",
                                         [run]).fetchone()
    check(state == "ended", state, reason)
    return reason


def proposals(archive, run=RUN):
    with sqlite3.connect(archive / "archive.sqlite") as database:
        database.row_factory = sqlite3.Row
        return [dict(row) for row in database.execute(
            "SELECT * FROM proposals WHERE run = ? AND proposer != 'seed' ORDER BY id", [run])]


def states_of(calls):
    return collections.Counter(call["state"] for call in calls)


def replay(rkb, archive, run=RUN, limit_s=LIMIT_S):
    """A replay makes the same proposals, costs nothing and needs neither helper nor key."""
    replayed = archive.parent / "replayed"
    process = start(rkb, run.split(".")[0], replayed, ["--replay", f"{archive}:{run}"],
                    {"PATH": "/nonexistent"})
    check(process.wait(limit_s) == 0, "the replay failed; see", replayed / "output.txt")

    def timeless(rows):
        return [{key: value for key, value in row.items() if key not in CLOCK_COLUMNS}
                for row in rows]

    again = f"{run.rpartition('.')[0]}.1"
    check(timeless(proposals(archive, run)) == timeless(proposals(replayed, again)), "rows differ")
    check(ended(archive, run) == ended(replayed, again), ended(replayed, again))
    calls = stub_models.calls_of(replayed)
    check(set(states_of(calls)) == {"unpaid"}, states_of(calls))
    check(not any(call["charged_micro_usd"] for call in calls), "a replay cost something")


@contextlib.contextmanager
def kept_stub(directory, scenario):
    """Runs the stub. Its requests are kept beside its scenario, unless it has ended by itself."""
    with stub_models.Stub(directory, scenario) as stub:
        yield stub
        if stub.is_running():
            asked = [request["body"] for request in stub.requests()]
            (directory / "bodies.json").write_text(json.dumps(asked))


def require_no_key(directory):
    """Checks that no file below has a planted key."""
    key = stub_models.PLANTED.encode()
    found = [path for path in directory.rglob("*") if path.is_file() and key in path.read_bytes()]
    check(not found, "a key stands in", *found)


class Runs:
    """The programs, and the run that all scenarios continue. Its evaluations are recorded ones.

    `sources` are the kernels that the stub's models give, {kind: list}.
    """

    def __init__(self, build, scratch, sources):
        self.rkb = build / "bin" / "rkb"
        self.python = stub_models.python_of(build)
        self.scratch = scratch
        shutil.rmtree(scratch, ignore_errors=True)
        self._begun = self.scratch / "begun"
        recorded_evaluations.begin(self.rkb, self._begun, "--seed-kernel", "plain",
                                   "--set", "proposers=tune", "--set", "profile=false")
        recorded_evaluations.give(self._begun, [RUN],
                                  {**recorded_evaluations.sources_by_kind(), **sources})
        self._given = recorded_evaluations.keys_of(self._begun)

    def archive(self, name, settings):
        """An archive whose run has these settings."""
        archive = self.scratch / name / "archive"
        shutil.copytree(self._begun, archive)
        chosen = {"proposers": ["llm"], "models": MODELS, "verifier_model": MODELS[0],
                  "max_generations": 1, "repairs": 0, "tune_share": 0, "minutes": 600,
                  "plateau": 1000, **settings}
        with sqlite3.connect(archive / "archive.sqlite") as database:
            text, = database.execute("SELECT settings FROM runs").fetchone()
            changed = json.dumps(json.loads(text) | chosen)
            database.execute("UPDATE runs SET settings = ?", [changed])
        return archive

    def stub(self, name, scenario):
        return kept_stub(self.scratch / name, scenario)

    def start(self, archive, options, environment=None):
        return start(self.rkb, TASK, archive, options, environment)

    def resume(self, archive, stub):
        """Resumes the run until its end. Returns the reason for it."""
        process = self.start(archive, ["--resume", RUN, "--max-usd", "100"], stub.environment())
        check(process.wait(LIMIT_S) == 0, "the run failed; see", archive / "output.txt")
        unknown = recorded_evaluations.keys_of(archive) - self._given
        check(not unknown, "no evaluation is recorded for", *unknown)
        return ended(archive)
