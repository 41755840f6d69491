"""`rkb evolve --workers slurm` with Debian's Slurm: one controller and three nodes on this machine.

usage: slurm_test.py BUILD DIRECTORY

Exits with 77 where Slurm is missing, unless root has ROBUST_KBENCH_CI set, which says that it must be
there.
"""

import os
import pathlib
import shutil
import signal
import sys
import time
import unittest

from recorded_run import RecordedRun, candidates
from slurm import Slurm, missing

BUILD, DIRECTORY = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def until(condition):
    end = time.monotonic() + 60
    while not condition():
        if time.monotonic() > end:
            raise AssertionError("it does not come true")
        time.sleep(0.05)


class OnSlurm(unittest.TestCase):
    def setUp(self):
        shutil.rmtree(DIRECTORY, ignore_errors=True)
        self.slurm = Slurm(DIRECTORY / "slurm")
        self.addCleanup(self.slurm.end)
        os.environ.update(self.slurm.environment)
        self.run_of = RecordedRun(BUILD, DIRECTORY, candidates(30), spare=6, seconds=0.2)
        self.addCleanup(self.run_of.end)

    def coordinator(self, name, **options):
        return self.run_of.coordinator(
            name, pilots=3, options=["--workers", "slurm", "--sbatch=--partition=test",
                                     "--sbatch=--cpus-per-task=1",
                                     f"--pilot-option=--recorded={self.run_of.recorded}",
                                     "--pilot-option=--slots=1"], **options)

    def jobs(self):
        return self.slurm.ask("squeue", "-h", "-r", "-o", "%T").split()

    def test_a_node_that_dies_a_preempted_pilot_and_an_interrupt(self):
        run, slurm = self.run_of, self.slurm
        first = self.coordinator("first")
        first.wait_for("Slurm's job [0-9]+ starts 3 pilots")
        until(lambda: len(run.events("pilot_joined")) == 3)
        first.wait_for("no_gain")
        slurm.kill_node("node1")
        first.wait_for("was not heard of for")
        # As a scheduler preempts: SIGTERM, and the job waits for a place again.
        job = first.text().partition("Slurm's job ")[2].partition(" ")[0]
        slurm.ask("scontrol", "requeue", f"{job}_2")
        first.wait_for("has left: it was ended from outside")
        first.kill(signal.SIGINT)
        self.assertEqual(first.wait(), 3, first.text())
        until(lambda: not self.jobs())
        slurm.begin_node("node1")
        slurm.wait_for_nodes(3)
        second = self.coordinator("second", resumed=run.run_id())
        self.assertEqual(second.wait(), 0, second.text())
        until(lambda: not self.jobs())
        proposals = run.proposals()
        self.assertEqual(len(proposals), 24)
        self.assertEqual({row["reason_class"] for row in proposals}, {"no_gain"})
        screened = [event["id"] for event in run.events("answered") if event["kind"] == "screen"]
        self.assertEqual(len(screened), len(set(screened)))
        shown = run.rkb_text("archive", "show", run.run_id(), "--pilots")
        self.assertIn(f"slurm {job}_1", shown)
        self.assertIn("lost: not heard of for", shown)


if __name__ == "__main__":
    if reason := missing():
        print(f"skipped: {reason}")
        sys.exit(1 if os.environ.get("ROBUST_KBENCH_CI") and os.getuid() == 0 else 77)
    unittest.main(argv=sys.argv[:1])
