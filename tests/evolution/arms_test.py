#!/usr/bin/env python3
"""The tables of benchmarks/arms.py and translations.py are right, for rows made by hand and a run.

  arms_test.py BUILD SCRATCH
"""

import csv
import json
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
sys.path.insert(0, str(ROOT / "benchmarks"))

import arms  # noqa: E402
import evolve_run  # noqa: E402
import translations  # noqa: E402

ENTRY = "mnist_linear.forward"


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


def in_a_run(build, scratch):
    """A program proposes three kernels: one does not compile, one is wrong, one is much faster."""
    plain = evolve_run.plain_kernel(ENTRY)
    loop = "      for (int64_t k = 0; k < in; ++k) {\n"
    assert plain.count(loop) == 1
    sources = {"1": plain.replace("PYBIND11_MODULE", "PYBIND12_MODULE"),
               "2": plain.replace("  return y;\n", "  y.data_ptr<float>()[0] += 1;\n  return y;\n"),
               "3": plain.replace(loop, "#pragma omp simd reduction(+ : sum)\n" + loop)}
    settings = evolve_run.propose_from(scratch, sources)
    command = json.loads(next(setting for setting in settings
                              if setting.startswith("command=")).removeprefix("command="))
    call = [ROOT / "benchmarks" / "arms.py", "--out", scratch / "arms", "--build", build, "--arms",
            "best_of_n", "--evaluations", "3", "--minutes", "10", "--entries", ENTRY, "--seeds", "1",
            "--set", "profile=false", "--command", *command]
    tables = [subprocess.run([sys.executable, *call], check=True, capture_output=True,
                             text=True).stdout for _ in range(2)]
    assert tables[0] == tables[1], "the second call did not take what the first one had"
    archive = scratch / "arms" / "best_of_n" / f"{ENTRY}.1.cpu"
    summary = evolve_run.ended_run(archive)["summary"]
    confirmed = summary["confirmed"]["parent"]["ratio"]
    assert confirmed > 1.5, confirmed
    assert f"| best_of_n | {ENTRY} | 1 | {confirmed:.2f} | 3 | " in tables[0], tables[0]
    errors = rows_of(scratch / "arms" / "errors.csv")
    assert errors == [["best_of_n", "compile_error", "1", "3"],
                      ["best_of_n", "wrong_result", "1", "3"]], errors
    best = [row[3:] for row in rows_of(scratch / "arms" / "best_so_far.csv")]
    assert [number for number, _ in best] == ["1", "2", "3"], best
    assert float(best[-1][1]) > 1.5, best


def main():
    build, scratch = map(pathlib.Path, sys.argv[1:])
    shutil.rmtree(scratch, ignore_errors=True)
    scratch.mkdir(parents=True)
    by_hand()
    translations_by_hand()
    in_a_run(build, scratch)


if __name__ == "__main__":
    main()
