"""Writes the figures of measuring scripts, with logs and records beside them."""

import argparse
import datetime
import json
import os
import pathlib
import platform
import re
import shlex
import shutil
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent


def first_line(*command):
    if shutil.which(command[0]) is None:
        return ""
    done = subprocess.run(command, capture_output=True, text=True)
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout else ""


def cpu_model():
    match = re.search(r"^model name\s*: (.*)$", pathlib.Path("/proc/cpuinfo").read_text(), re.MULTILINE)
    return re.sub(r"\(R\)| Processor", "", match[1]).strip() if match else platform.machine()


def machine(torch_version):
    """The hardware and the software of these figures, in words."""
    gpu = first_line("nvidia-smi", "--query-gpu=name", "--format=csv,noheader")
    release = platform.freedesktop_os_release()
    parts = [f"an {gpu} with" if gpu else "",
             f"{len(os.sched_getaffinity(0))} cores of an {cpu_model()},",
             f"{release['ID'].capitalize()} {release.get('VERSION_ID', '')},",
             f"g++ {first_line('g++', '-dumpfullversion')}, torch {torch_version}"]
    return " ".join(part for part in parts if part)


def torch_version(rkb):
    """The version that a build has."""
    told = subprocess.run([rkb, "--version"], capture_output=True, text=True, check=True).stdout
    return re.search(r"^torch (\S+)", told, re.MULTILINE)[1]


def figures_parser(description):
    """The parser of a script whose module docstring this is, and that writes into --out."""
    parser = argparse.ArgumentParser(
        description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=pathlib.Path, required=True)
    return parser


def differing_parts(config, usual):
    """The parts of a config's name that differ from another's, as `stride 2`."""
    parts = set(config.split("/")[-1].split(".")) - set(usual.split("/")[-1].split("."))
    return sorted(" ".join(part.rsplit("_", 1)) for part in parts)


class Figures:
    """A directory with figures.md, the logs of the commands that made it, and their records.

    run.json there holds the tables and facts in the form of docs/runs/. A copy of it in docs/runs/
    becomes the source of the pages' figures.
    """

    def __init__(self, out):
        self.out = out.resolve()
        self.out.mkdir(parents=True, exist_ok=True)
        self.text = []
        self.failed = []
        command = shlex.join([os.path.relpath(sys.argv[0], ROOT), *sys.argv[1:]])
        commit = first_line("git", "-C", str(ROOT), "rev-parse", "--short", "HEAD")
        self.recorded = {"machine": "", "command": command, "commit": commit, "facts": {},
                         "date": datetime.date.today().isoformat(), "tables": {}}

    def run(self, what, *command, check=True, late_input=lambda: None):
        """The seconds that a command took; its output goes to <what>.log.

        Its input is the result of `late_input`, called when the command runs.
        """
        start = time.monotonic()
        with (
            open(self.out / f"{what}.log", "w") as log,
            subprocess.Popen(
                [str(part) for part in command],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                text=True,
            ) as process,
        ):
            process.communicate(late_input())
        seconds = time.monotonic() - start
        print(f"{what}: {seconds:.1f} s, exit code {process.returncode}", flush=True)
        if process.returncode != 0:
            self.failed.append(what)
            if check:
                sys.exit(f"{what} failed; see {self.out / what}.log")
        return seconds

    def records_of(self, what, rkb, seconds, *arguments):
        """The records of `rkb evaluate` in what.json; none where it wrote no file in that time."""
        path = self.out / f"{what}.json"
        path.unlink(missing_ok=True)
        self.run(what, "timeout", "--kill-after=5", seconds, rkb, "evaluate", "--json", path,
                 *arguments, check=False)
        return json.loads(path.read_text())["kernels"] if path.exists() else []

    def write(self, *lines):
        self.text += [*lines, ""]
        (self.out / "figures.md").write_text("\n".join(self.text))

    def record(self, machine=None, **facts):
        """Adds facts to run.json, and writes it."""
        self.recorded["machine"] = machine or self.recorded["machine"]
        self.recorded["facts"] |= facts
        (self.out / "run.json").write_text(json.dumps(self.recorded, indent=1) + "\n")

    def record_table(self, name, header, rows):
        """Adds a table to figures.md and to run.json."""
        self.recorded["tables"][name] = {"columns": header, "rows": rows}
        self.table(header, rows)
        self.record()

    def table(self, header, rows):
        self.write(table_text(header, rows).rstrip())


def text_of(cell):
    """A number with three digits; a list of three is a ratio with its interval."""
    if isinstance(cell, list):
        return "{:.2f} ({:.2f}..{:.2f})".format(*cell)
    if isinstance(cell, float):
        return f"{cell:.3g}" if cell < 1000 else f"{cell:.0f}"
    return str(cell)


def table_text(columns, rows):
    """A table in Markdown."""
    def line(cells):
        return "| " + " | ".join(map(text_of, cells)) + " |\n"

    return line(columns) + "|" + "---|" * len(columns) + "\n" + "".join(map(line, rows))
