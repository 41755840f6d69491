"""Runs `rkb evolve` for the scripts here, and reads the records of runs."""

import json
import pathlib
import re
import sqlite3
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parent.parent
ENTRY = re.compile(r"^(?:torch::)?(?:Tensor|std::\w+<.*>) (?:forward|backward)\([^{]*\) {\n", re.M)
SPEND = """namespace {{

void spend() {{
  volatile float product = 1.0f;
  for (int step = 0; step < {steps}; ++step) product = product * 1.0000001f;
}}

}}  // namespace

"""
# The lock serves runs that ask several times at once.
NEXT = 'exec 9< "$1"; flock 9; file=$(ls "$1" | head -n 1); cat "$1/$file"; rm "$1/$file"'


def add_unsafe(parser):
    parser.add_argument("--unsafe", action="store_true",
                        help="as of `rkb evolve`, where this machine lacks means of the sandbox")


def unsafe(arguments):
    return ["--unsafe"] if arguments.unsafe else []


def plain_kernel(entry, suffix=".cpp"):
    task, direction = entry.split(".")
    return (SOURCE / "tasks" / task / f"{direction}{suffix}").read_text()


def slower(text, steps):
    """The source of a CPU kernel whose calls also run a chain of `steps` multiplications."""
    found = ENTRY.search(text)
    return (f"{text[:found.start()]}{SPEND.format(steps=steps)}{found.group()}  spend();\n"
            f"{text[found.end():]}")


def propose_from(directory, sources, spare=0):
    """The settings by which a run proposes these sources, {name: text}, by name.

    A proposal that a killed run was about to make is lost. So many sources are left for those.
    """
    queue = directory / "queue"
    queue.mkdir(parents=True)
    for name, text in sources.items():
        (queue / name).write_text(text)
    script = directory / "next.sh"
    script.write_text(NEXT)
    command = json.dumps(["/bin/sh", str(script), str(queue)])
    return ["proposers=command", f"command={command}", "minutes=600", "max_generations=1",
            f"population={len(sources) - spare}", f"plateau={len(sources) + 1}"]


def evolve(rkb, entry, archive, settings, seed_kernel="plain", device="cpu", pin=None, options=()):
    """Makes one run, whose output is kept in output.txt of its archive. Returns its exit code."""
    task, direction = entry.split(".")
    command = [rkb, "evolve", "--task", task, "--direction", direction, "--device", device,
               "--seed-kernel", seed_kernel, "--archive", archive, *options]
    for setting in settings:
        command += ["--set", setting]
    archive.mkdir(parents=True, exist_ok=True)
    with open(archive / "output.txt", "w", encoding="utf-8") as output:
        return subprocess.run(command, check=False, stdout=output, stderr=output,
                              preexec_fn=pin).returncode


def events_of(archive):
    events = archive / "events.jsonl"
    return [json.loads(line) for line in events.read_text().splitlines()] if events.exists() else []


def ended_run(archive, translation=False):
    """The event of the evolution in an archive that has ended, or None. With `translation` it is
    the event of its translation, which may have a run of its own."""
    return next((event for event in events_of(archive)
                 if event["event"] == "run_changed" and event["state"] == "ended"
                 and ("translation" in event["settings"]) == translation), None)


def paid_micro_usd(directory, run=None):
    """The cost of all attempts in the archives below, or those of one run. Runs that have not ended
    count, too, and an open attempt counts as its reservation."""
    total = 0
    for database in directory.rglob("archive.sqlite"):
        with sqlite3.connect(f"file:{database}?mode=ro", uri=True) as connection:
            if connection.execute("SELECT 1 FROM sqlite_schema WHERE name = 'calls'").fetchone():
                paid, = connection.execute(
                    "SELECT TOTAL(COALESCE(charged_micro_usd, reserved_micro_usd)) FROM calls "
                    "WHERE ? IN (run, '')", [run or ""]).fetchone()
                total += round(paid)
    return total


def usd_left(max_usd, directory, archive, resumed=None):
    """The rest of a cap for the next run. A resumed run's own payments are not subtracted, as rkb
    counts them again."""
    own = paid_micro_usd(archive, resumed) if resumed else 0
    return max(0, round(max_usd * 1e6) - paid_micro_usd(directory) + own) / 1e6


def exported(rkb, archive, run):
    """All lines of the export of a run."""
    lines = subprocess.run([rkb, "archive", "export", run, "--archive", archive], check=True,
                           capture_output=True, text=True).stdout
    return [json.loads(line) for line in lines.splitlines()]


def proposals_of(rkb, archive):
    """The rows of all proposals of the run that has ended, without its seeds."""
    return exported_proposals(rkb, archive, ended_run(archive)["run"])


def exported_proposals(rkb, archive, run):
    """The rows of all proposals of any run, without its seeds."""
    return [row for row in exported(rkb, archive, run)
            if row["type"] == "proposal" and row["proposer"] != "seed"]
