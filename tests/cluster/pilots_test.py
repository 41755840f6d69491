"""A run on pilots loses nothing when they, the coordinator or the folder go, and counts nothing twice.

usage: pilots_test.py BUILD DIRECTORY
"""

import collections
import json
import pathlib
import shutil
import signal
import sys
import unittest

from recorded_run import RecordedRun, candidates

BUILD, DIRECTORY = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SPARE = 6  # sources for the proposals that killed coordinators were about to make


class Pilots(unittest.TestCase):
    def make(self, count, **options):
        directory = DIRECTORY / self.id().rpartition(".")[2]
        shutil.rmtree(directory, ignore_errors=True)
        directory.mkdir(parents=True)
        run = RecordedRun(BUILD, directory, candidates(count + SPARE), SPARE, **options)
        self.addCleanup(run.end)
        return run

    def expect_each_decided_once(self, run, count):
        proposals = run.proposals()
        self.assertEqual(len(proposals), count)
        self.assertEqual({row["outcome"] for row in proposals}, {"refused"})
        self.assertEqual({row["reason_class"] for row in proposals}, {"no_gain"})
        screened = collections.Counter(event["id"] for event in run.events("answered")
                                       if event["kind"] == "screen")
        self.assertEqual(set(screened.values()), {1})
        self.assertEqual(len(screened), count)

    def test_a_killed_pilot_and_a_stopped_one(self):
        run = self.make(8)
        coordinator = run.coordinator(pilots=3)
        killed, stopped, stays = (run.pilot(name) for name in ("killed", "stopped", "stays"))
        coordinator.wait_for("no_gain")
        killed.kill()
        stopped.kill(signal.SIGSTOP)
        self.assertEqual(coordinator.wait(), 0, coordinator.text())
        self.expect_each_decided_once(run, 8)
        self.assertEqual(stays.wait(), 0, stays.text())
        self.assertIn("ends: the run has ended", stays.text())
        shown = run.rkb_text("archive", "show", run.run_id(), "--pilots")
        self.assertEqual(shown.count("lost: not heard of for"), 4)  # two rows, and two lines below
        summary = run.events("run_changed")[-1]["summary"]
        self.assertEqual(len(summary["pilots"]), 3)
        self.assertEqual(sum(pilot["answered"] for pilot in summary["pilots"]),
                         len(run.events("answered")))
        self.assertIn("3 pilots on", coordinator.text())

    def test_a_killed_coordinator_and_an_interrupted_one(self):
        run = self.make(16)
        first = run.coordinator()
        first.wait_for("waits for pilots")  # so it does not end meanwhile
        second = run.coordinator("second")
        self.assertEqual(second.wait(), 2)
        self.assertRegex(second.text(), "has a coordinator that is at work: process")
        pilots = [run.pilot(name) for name in ("one", "two")]
        first.wait_for("no_gain")
        first.kill()
        first.wait()
        resumed = run.coordinator("resumed", resumed=run.run_id())
        resumed.wait_for("no_gain")  # the same pilots go on
        resumed.kill(signal.SIGINT)
        self.assertEqual(resumed.wait(), 3, resumed.text())
        for pilot in pilots:
            self.assertEqual(pilot.wait(), 0, pilot.text())
        last = run.coordinator("last", resumed=run.run_id())
        run.pilot("three")
        self.assertEqual(last.wait(), 0, last.text())
        self.expect_each_decided_once(run, 16)
        self.assertEqual(len(run.events("run_changed")[-1]["summary"]["pilots"]), 3)

    def test_another_source_tree_and_a_folder_that_vanishes(self):
        run = self.make(5)
        coordinator = run.coordinator(pilots=1)
        manifest = json.loads((BUILD / "share/robust_kbench/manifest.json").read_text())
        manifest["tasks"] = manifest["tasks"][1:]
        other = run.directory / "manifest.json"
        other.write_text(json.dumps(manifest))
        refused = run.pilot("refused", {"ROBUST_KBENCH_MANIFEST": str(other)})
        self.assertEqual(refused.wait(), 2, refused.text())
        self.assertIn("its source tree is another than the coordinator's", refused.text())
        pilot = run.pilot("right")
        coordinator.wait_for("no_gain")
        away = run.directory / "away"
        run.run_directory.rename(away)
        coordinator.wait_for("waits for the run directory")
        away.rename(run.run_directory)
        coordinator.wait_for("the run directory is back")
        self.assertEqual(coordinator.wait(), 0, coordinator.text())
        self.expect_each_decided_once(run, 5)
        self.assertEqual(pilot.wait(), 0, pilot.text())
        ends = [each["end"] for each in run.events("run_changed")[-1]["summary"]["pilots"]]
        self.assertTrue(any(end.startswith("refused: its source tree") for end in ends), ends)

    def test_the_same_pilots_serve_one_entry_after_another(self):
        run = self.make(2)
        manifest = json.loads((BUILD / "share/robust_kbench/manifest.json").read_text())
        entries = ["mnist_linear.forward", "mnist_pool.forward"]
        manifest["kernels"] = [kernel for kernel in manifest["kernels"]
                               if f"{kernel['task']}.{kernel['direction']}" in entries]
        smaller = run.directory / "manifest.json"
        smaller.write_text(json.dumps(manifest))
        environment = {"ROBUST_KBENCH_MANIFEST": str(smaller)}
        settings = [part for setting in run.settings for part in ("--set", setting)]
        coordinator = run.begin("coordinator", [
            run.rkb, "evolve", "--all", "--device", "cpu", "--seed-kernel", "plain", "--unsafe",
            "--archive", run.archive, "--workers", "own", "--run-directory", run.run_directory,
            "--pilot-count", "2", "--lease", "2", *settings], environment)
        pilots = [run.pilot(name, environment) for name in ("one", "two")]
        self.assertEqual(coordinator.wait(), 0, coordinator.text())
        for entry in entries:
            self.assertRegex(coordinator.text(), rf"\n{entry} +cpu +\d+  nothing better")
        answered = collections.Counter(event["run"] for event in run.events("answered"))
        self.assertEqual(len(answered), 2, answered)
        for pilot in pilots:
            self.assertEqual(pilot.wait(), 0, pilot.text())
            self.assertIn("ends: the run has ended", pilot.text())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
