"""Runs of `rkb evolve` whose pilots answer with recorded evaluations, so that seconds suffice."""

import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import evolve_run  # noqa: E402

ENTRY = "mnist_pool.forward"
# The candidates are right and no faster than their parent.
KINDS = {"compile": "compile/edited", "test": "test/shipped", "screen": "screen/edited/plain",
         "seeds": "seeds/registered/plain/plain", "profile": "profile/plain"}
LONGEST_WAIT_S = 90


def recorded_evaluations(seconds):
    """Evaluations by their kinds, each of which takes so long."""
    known = json.loads((ROOT / "tests/evolution/recorded_evaluations.json").read_text())
    return {kind: known[template] for kind, template in KINDS.items()} | {"seconds": seconds}


def candidates(count):
    """So many sources whose tokens differ, {name: text}."""
    plain = evolve_run.plain_kernel(ENTRY)
    return {f"{number:04}": f"{plain}\nstatic const int candidate_{number} = {number};\n"
            for number in range(count)}


class Program:
    """A program under way whose output is a file."""

    def __init__(self, command, output, environment=None):
        self.output = output
        with open(output, "ab") as file:
            self.process = subprocess.Popen(command, stdout=file, stderr=file,
                                            env=os.environ | (environment or {}))

    def text(self):
        return self.output.read_text(errors="replace")

    def wait_for(self, pattern):
        """Waits until its output has this."""
        end = time.monotonic() + LONGEST_WAIT_S
        while not re.search(pattern, self.text()):
            if self.process.poll() is not None and not re.search(pattern, self.text()):
                raise AssertionError(f"ended without '{pattern}':\n{self.text()}")
            if time.monotonic() > end:
                raise AssertionError(f"'{pattern}' does not come:\n{self.text()}")
            time.sleep(0.02)

    def wait(self):
        return self.process.wait(LONGEST_WAIT_S)

    def kill(self, number=signal.SIGKILL):
        self.process.send_signal(number)


class RecordedRun:
    """A run directory, an archive, and the programs that use them."""

    def __init__(self, build, directory, sources, spare=0, seconds=0.1, lease=2, entry=ENTRY):
        self.rkb = build / "bin" / "rkb"
        self.directory = directory
        self.run_directory = directory / "shared"
        self.archive = directory / "archive"
        self.lease = lease
        self.recorded = directory / "recorded.json"
        self.recorded.write_text(json.dumps(recorded_evaluations(seconds)))
        self.entry = entry
        self.settings = [*evolve_run.propose_from(directory, sources, spare), "profile=false"]
        self.programs = []

    def pilot_command(self):
        return [self.rkb, "pilot", self.run_directory, "--device", "cpu", "--slots", "1",
                "--recorded", self.recorded, "--patience", "60"]

    def begin(self, name, command, environment=None):
        program = Program(command, self.directory / f"{name}.txt", environment)
        self.programs.append(program)
        return program

    def pilot(self, name, environment=None):
        return self.begin(name, [*self.pilot_command(), "--label", name], environment)

    def coordinator(self, name="coordinator", pilots=2, resumed=None, options=()):
        command = [self.rkb, "evolve", "--device", "cpu", "--archive", self.archive, "--unsafe",
                   "--run-directory", self.run_directory, "--pilot-count", str(pilots),
                   "--lease", str(self.lease), *(options or ["--workers", "own"])]
        task, direction = self.entry.split(".")
        if resumed:
            command += ["--resume", resumed]
        else:
            command += ["--task", task, "--direction", direction, "--seed-kernel", "plain"]
            for setting in self.settings:
                command += ["--set", setting]
        return self.begin(name, command)

    def run_id(self):
        return next(event["run"] for event in self.events())

    def events(self, kind=None):
        return [event for event in evolve_run.events_of(self.archive)
                if kind in (None, event["event"])]

    def proposals(self):
        return evolve_run.exported_proposals(self.rkb, self.archive, self.run_id())

    def rkb_text(self, *arguments):
        return subprocess.run([self.rkb, *arguments, "--archive", self.archive], check=True,
                              stdout=subprocess.PIPE, text=True).stdout

    def end(self):
        for program in self.programs:
            if program.process.poll() is None:
                program.kill()
            program.process.wait()
