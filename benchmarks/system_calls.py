#!/usr/bin/env python3
"""Compares the system calls that workers make on a CPU with those that they may make.

  benchmarks/system_calls.py --out DIRECTORY

Follows the programs of tests/honest and tests/exploits/narrow, all kernels of build/robust and
torch's own operators by strace. It sees into a sandbox from outside. Only what a worker calls counts,
from the start of its program, with all that it starts. The list of allowed calls is read from
harness/process/call_filter.cpp. DIRECTORY/run.json is for docs/runs/system_calls.json.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import re
import subprocess

from figures import ROOT, Figures, machine, torch_version

BUILD = ROOT / "build/robust"
# The last ones time a kernel beside torch's own operators.
COMMANDS = {"honest": [BUILD / "tests/honest/honest_test", "--gtest_filter=-*cuda*"],
            "narrow": [BUILD / "tests/exploits/narrow/narrow_test", "--gtest_filter=-*cuda*"],
            "shipped": [BUILD / "bin/rkb", "test", "--device", "cpu", "--scope", "quick"],
            **{task: [BUILD / "bin/rkb", "bench", "--device", "cpu", "--task", task,
                      "--direction", "forward", "--scope", "listed"]
               for task in ("mnist_linear", "unet_conv2d")}}

WORKER = re.compile(r'execve\("[^"]*/(?:rkb_worker"|rkb", \[.*"baseline-worker")')
STARTED = re.compile(r"(?:clone3?|v?fork)\b.*= (?:\d+ /\* )?(\d+)(?: in .*\*/)?$")
CALL = re.compile(r"(?:<\.\.\. )?(\w+)[( ]")


class Follower:
    """Reads what strace writes, and counts the calls of workers and of all that they start."""

    def __init__(self):
        self.calls = collections.Counter()
        self.refused = set()
        self.number = 0
        self.workers = set()
        self.others = collections.defaultdict(collections.Counter)  # calls of each other process

    def read(self, line):
        pid, _, text = line.partition(" ")
        text = text.strip()
        if text.startswith("+++"):
            self.workers.discard(pid)
        elif call := CALL.match(text):
            if WORKER.match(text):
                self.number += 1
                self.workers.add(pid)
            if not text.startswith("<..."):
                self.count(pid, call[1])
            if pid in self.workers and text.endswith("ENOSYS (Function not implemented)"):
                self.refused.add(call[1])
            if started := STARTED.match(text.removeprefix("<... ")):
                self.begin(started[1], pid)

    def count(self, pid, call):
        (self.calls if pid in self.workers else self.others[pid])[call] += 1

    def begin(self, pid, parent):
        """A process may make calls before its parent's call has returned."""
        calls = self.others.pop(pid, {})
        if parent in self.workers:
            self.workers.add(pid)
            self.calls.update(calls)


def follow(figures, what, command):
    """Follows all processes of a command."""
    reader, writer = os.pipe()
    strace = ["strace", "-f", "-q", "-e", "signal=none", "--decode-pids=pidns", "-s", "40",
              "-o", f"/dev/fd/{writer}"]
    with open(figures.out / f"{what}.log", "w") as log:
        running = subprocess.Popen([*strace, *map(str, command)], stdout=log, stderr=log,
                                   pass_fds=[writer])
    os.close(writer)
    follower = Follower()
    with open(reader, errors="replace") as lines:
        for line in lines:
            follower.read(line)
    print(f"{what}: exit code {running.wait()}, {follower.number} workers", flush=True)
    return follower


def allowed_calls():
    """The names of the calls of each class, in the order of the filter."""
    text = (ROOT / "harness/process/call_filter.cpp").read_text()
    text = re.sub(r"#ifdef __SANITIZE_ADDRESS__.*?#endif", "", text, flags=re.DOTALL)
    text = re.sub(r"^#.*$", "", text, flags=re.MULTILINE)
    lists = re.findall(r"calls_of_(\w+)\{(.*?)\};", text, re.DOTALL)
    return {name.replace("_", " "): re.findall(r"SYS_(\w+)", calls) for name, calls in lists}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    figures = Figures(parser.parse_args().out)
    with concurrent.futures.ThreadPoolExecutor(len(COMMANDS)) as pool:
        followers = list(pool.map(lambda what: follow(figures, what, COMMANDS[what]), COMMANDS))
    used = set().union(*(follower.calls for follower in followers))
    allowed = allowed_calls()
    figures.record(
        machine(torch_version(BUILD / "bin/rkb")),
        workers=sum(follower.number for follower in followers),
        refused=", ".join(sorted(set().union(*(f.refused for f in followers)))) or "none")
    figures.record_table(
        "calls", ["class", "used", "allowed, and used by none"],
        [[kind, ", ".join(call for call in calls if call in used) or "-",
          ", ".join(call for call in calls if call not in used) or "-"]
         for kind, calls in allowed.items() if calls])


if __name__ == "__main__":
    main()
