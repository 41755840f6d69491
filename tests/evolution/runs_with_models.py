"""Runs of `rkb evolve` that ask the stub of models, for the tests here."""

import collections
import contextlib
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import stub_models  # noqa: E402

SKIPPED = 77
LIMIT_S = 300
TASK = "mnist_linear"
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
    """The programs, and the run that all scenarios continue."""

    def __init__(self, build, scratch):
        self.rkb = build / "bin" / "rkb"
        self.python = stub_models.python_of(build)
        self.scratch = scratch
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(parents=True)
        self._race_seeds()

    def _race_seeds(self):
        self._begun = self.scratch / "begun"
        process = self.start(self._begun, ["--seed-kernel", "plain", "--set", "proposers=tune",
                                           "--set", "profile=false"])
        deadline = time.monotonic() + LIMIT_S
        while not any(key.startswith("seeds/") for key in self.effects(self._begun)):
            check(process.poll() is None, "the run of the seeds ended")
            check(time.monotonic() < deadline, "the seeds took too long")
            time.sleep(0.1)
        process.kill()
        process.wait()

    @staticmethod
    def effects(archive):
        try:
            place = f"file:{archive / 'archive.sqlite'}?mode=ro"
            with sqlite3.connect(place, uri=True) as database:
                return [key for key, in database.execute("SELECT key FROM effects")]
        except sqlite3.OperationalError:  # its tables are being made
            return []

    def archive(self, name, settings):
        """An archive whose run has only the seeds' evaluations, and these settings."""
        archive = self.scratch / name / "archive"
        shutil.copytree(self._begun, archive)
        chosen = {"proposers": ["llm"], "models": MODELS, "verifier_model": MODELS[0],
                  "max_generations": 1, "repairs": 0, "tune_share": 0, "minutes": 600,
                  "plateau": 1000, **settings}
        with sqlite3.connect(archive / "archive.sqlite") as database:
            database.execute("DELETE FROM effects WHERE key NOT LIKE 'seeds/%' AND "
                             "key NOT LIKE 'compile/%' AND key NOT LIKE 'test/%'")
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
        return ended(archive)
