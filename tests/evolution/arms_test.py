#!/usr/bin/env python3
"""Tests the tables of benchmarks/arms.py and translations.py, for rows made by hand and for a run.

  arms_test.py BUILD SCRATCH
"""

import argparse
import csv
import json
import pathlib
import shutil
import sqlite3
import subprocess
import sys
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import arms  # noqa: E402
import evolve_run  # noqa: E402
import recorded_evaluations  # noqa: E402
import translations  # noqa: E402

ENTRY = "mnist_pool.forward"


def proposal(number, outcome, speedup=None, parent=1, reason=""):
    return {"type": "proposal", "id": number, "proposer": "command", "outcome": outcome,
            "speedup": speedup, "parents": [parent], "reason_class": reason}


def event(winner, confirmed, candidates, seconds):
    return {"winner": winner, "summary": {"confirmed": {"parent": {"ratio": confirmed}},
                                          "candidates": candidates, "seconds": seconds}}


def by_hand():
    """Two seeds of one arm on two entries, a seed of another arm on one of them."""
    seed = {"type": "proposal", "id": 1, "proposer": "seed"}
    calls = [{"type": "call", "charged_micro_usd": charge} for charge in (250000, 10000)]
    first = arms.outcome_of(event(4, 4.0, 3, 60),
                            [seed, proposal(2, "accepted", 2.0), *calls,
                             proposal(3, "refused", 0.5, 2, "slower"),
                             proposal(4, "accepted", 1.5, 2),
                             proposal(5, "refused", None, 4, "compile_error")])
    assert first.best == [2.0, 2.0, 3.0, 3.0], first.best
    assert first.errors == {"slower": 1, "compile_error": 1}, first.errors
    nothing = arms.outcome_of(event(0, 9.0, 1, 30),
                              [seed, proposal(2, "refused", None, 1, "wrong_result")])
    assert (nothing.speedup, nothing.best, nothing.micro_usd) == (1.0, [1.0], 0), nothing
    unpriced = arms.outcome_of(event(2, 2.0, 1, 30), [
        proposal(2, "accepted", 2.5), {"type": "call", "charged_micro_usd": None}])
    outcomes = {("a", "x", 1): first, ("a", "y", 1): nothing, ("a", "x", 2): nothing,
                ("a", "y", 2): nothing, ("b", "x", 1): unpriced}
    # Logarithms to the base of 2. On x: 2 and 0, mean 1, standard deviation 1.4142, half of the
    # interval 12.706. Over both entries: 1 and 0, mean 0.5, half of the interval 6.353.
    low, high = 2 ** (1 - 12.706), 2 ** (1 + 12.706)
    both_low, both_high = 2 ** (0.5 - 6.353), 2 ** (0.5 + 6.353)
    expected = [
        f"| a | x | 2 | 2.00 ({low:.2f}..{high:.2f}) | 4 | 1.5 | 0.26 |",
        "| a | y | 2 | 1.00 (1.00..1.00) | 2 | 1.0 | 0.00 |",
        f"| a | all | 4 | 1.41 ({both_low:.2f}..{both_high:.2f}) | 6 | 2.5 | 0.26 |",
        "| b | x | 1 | 2.00 | 1 | 0.5 | not known |",
    ]
    found = arms.table_of(outcomes)[2:]
    assert found == expected, "\n".join(["found", *found, "expected", *expected])


def translations_by_hand():
    """Eight of ten were right: three at once, five at the third attempt."""
    needed = [1] * 3 + [3] * 5 + [None] * 2
    results = {("raw", "x", number): (attempts, 500000)
               for number, attempts in enumerate(needed)}
    table = translations.table_of(results)[2:]
    assert table == ["| raw | 10 | 0.80 (0.49..0.94) | 3 | 5.00 |"], table
    shares = [row[1:3] for row in translations.shares_by_attempts(results, 3)]
    assert shares == [[1, "0.3000"], [2, "0.3000"], [3, "0.8000"]], shares


def rows_of(file):
    with open(file, newline="", encoding="utf-8") as rows:
        return list(csv.reader(rows))[1:]


def ledger(directory, *calls):
    """An archive with only these rows of its ledger: run, charge and reservation."""
    directory.mkdir(parents=True)
    with sqlite3.connect(directory / "archive.sqlite") as database:
        database.execute("CREATE TABLE calls(run TEXT, charged_micro_usd INTEGER, "
                         "reserved_micro_usd INTEGER)")
        database.executemany("INSERT INTO calls VALUES(?, ?, ?)", calls)


def begun(directory, run):
    (directory / "events.jsonl").write_text(json.dumps({"event": "run_started", "run": run}) + "\n")


def options_of(build, out):
    """The command-line options that both programs read."""
    return argparse.Namespace(build=build, out=out, device="cpu", seed_kernel="plain", set=[],
                              minutes=1, evaluations=3, command=["true"], max_usd=2, attempts=1,
                              model="")


def caps(scratch):
    """All payments below --out reduce the cap of the next run, also those of killed runs and the
    reservations of open attempts. A resumed run's own do not, as rkb counts them again."""
    out = scratch / "caps"
    given = []
    killed, other = out / "llm" / f"{ENTRY}.1.cpu", out / "raw" / f"{ENTRY}.1.cpu"
    ledger(killed, ("killed", 500000, 600000), ("killed", None, 100000), ("killed", None, None))
    ledger(other, ("resumed", 300000, 300000), ("earlier", 50000, 50000))
    begun(killed, "killed")
    begun(other, "resumed")
    sqlite3.connect(out / "archive.sqlite").close()  # an archive whose tables are being made
    options = options_of(scratch, out)
    with mock.patch.object(evolve_run, "evolve", lambda *_, options, **__: given.append(options)):
        arms.evolve(options, ("llm", ENTRY, 1), None)
        arms.evolve(options, ("llm", ENTRY, 2), None)
        options.max_usd = 0.95
        arms.evolve(options, ("llm", ENTRY, 2), None)
    assert given == [["--preset", "paper", "--max-usd", "1.050000"]] * 2, given
    given.clear()
    with mock.patch.object(subprocess, "run", lambda command, **_: given.append(command)):
        options.max_usd = 2
        translations.translate(options, ("raw", ENTRY, 1))
        translations.translate(options, ("raw", ENTRY, 2))
        options.max_usd = 0.95
        translations.translate(options, ("raw", ENTRY, 2))
    assert [command[command.index("--max-usd") + 1] for command in given] == ["1.350000",
                                                                             "1.050000"], given
    assert ["--resume" in command for command in given] == [True, False], given


def settings(build, scratch):
    """rkb accepts the settings of every arm."""
    options = options_of(build, scratch / "settings")
    for arm in arms.ALL_ARMS:
        archive = arms.archive_of(options, arm, ENTRY, 1)
        code = evolve_run.evolve(build / "bin" / "rkb", ENTRY, archive,
                                 arms.settings_of(options, arm, 1),
                                 options=[*arms.preset_of(arm), "--dry-run"])
        printed = (archive / "output.txt").read_text()
        assert code == 0 and f"Evolves {ENTRY} on cpu." in printed, f"{arm}: {code}, {printed}"


def in_a_run(build, scratch):
    """A program first proposes nothing, and then a kernel that does not compile. Other proposals
    replace both: a wrong kernel, and one that is faster. Its evaluations are recorded ones. The
    tables agree with the archive."""
    kinds = recorded_evaluations.sources_by_kind()
    chosen = evolve_run.propose_from(scratch, {
        "1": "", **{str(number): kinds[kind][0] for number, kind in
                    enumerate(["broken", "wrong", "shipped"], 2)}})
    command = json.loads(next(setting for setting in chosen
                              if setting.startswith("command=")).removeprefix("command="))
    archive = scratch / "arms" / "best_of_n" / f"{ENTRY}.1.cpu"
    recorded_evaluations.begin(build / "bin" / "rkb", archive)
    recorded_evaluations.give(archive, [f"{ENTRY}.cpu.2"])
    given = recorded_evaluations.keys_of(archive)
    call = [ROOT / "benchmarks" / "arms.py", "--out", scratch / "arms", "--build", build,
            "--arms", "best_of_n", "--evaluations", "2", "--minutes", "10", "--entries", ENTRY,
            "--seeds", "1", "--set", "profile=false", "--command", *command]
    tables = [subprocess.run([sys.executable, *call], check=True, capture_output=True,
                             text=True).stdout for _ in range(2)]
    assert tables[0] == tables[1], "the second call did not take what the first one had"
    unknown = recorded_evaluations.keys_of(archive) - given
    assert not unknown, f"no evaluation is recorded for {unknown}"
    ended = evolve_run.ended_run(archive)
    rows = evolve_run.proposals_of(build / "bin" / "rkb", archive)
    assert ended["summary"]["candidates"] == 2 and len(rows) == 4, rows
    faster, = (row for row in rows if row["outcome"] == "accepted")
    assert ended["winner"] == faster["id"], ended
    speedup = ended["summary"]["confirmed"]["parent"]["ratio"]
    assert f"| best_of_n | {ENTRY} | 1 | {speedup:.2f} | 2 | " in tables[0], tables[0]
    errors = rows_of(scratch / "arms" / "errors.csv")
    expected = [["best_of_n", reason, "1", "4"]
                for reason in ("compile_error", "no_source", "wrong_result")]
    assert errors == expected, (errors, expected)
    best = [row[3:] for row in rows_of(scratch / "arms" / "best_so_far.csv")]
    expected = [[str(number), f"{faster['speedup'] if row['id'] >= faster['id'] else 1.0:.4f}"]
                for number, row in enumerate(sorted(rows, key=lambda row: row["id"]), 1)]
    assert best == expected, (best, expected)


def main():
    build, scratch = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    by_hand()
    translations_by_hand()
    caps(scratch)
    settings(build, scratch)
    in_a_run(build, scratch)


if __name__ == "__main__":
    main()
