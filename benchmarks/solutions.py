#!/usr/bin/env python3
"""Evaluates published solutions of KernelBench, and counts their outcomes by class.

  benchmarks/solutions.py --corpus LEADERBOARD/docs/assets --out DIRECTORY [--most 80] [--jobs 12]
        [--gpus 1] [--known docs/runs/solutions.json]

The corpus is a copy of KernelBench's leaderboard: problems/l1_p1.py, solutions/HASH.py, and
raw_data.json, which counts problems from 0. --most limits the solutions of one call. One that has a
record in DIRECTORY/records, or a row in --known, is not evaluated again. So a run that ended early
is continued by the same command. Without a GPU the extensions are read and compiled, and their
tests are skipped. DIRECTORY/run.json is for docs/runs/solutions.json.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import queue
import re
import subprocess

from figures import ROOT, Figures, machine

REFUSED = re.compile(r"^(\S+\.py) is refused: (.*)$", re.MULTILINE)
PROBLEM = re.compile(r"--problem \S+ is refused: (.*)")
BEYOND_KERNELBENCH = ("cheat", "sandbox_violation", "unsafe", "skipped", "harness_error")
COLUMNS = ["problem", "solution", "verdict", "why", "KernelBench", "glue"]


def solutions_of(corpus):
    """Names of solutions by problem, sorted."""
    found = collections.defaultdict(list)
    for row in json.loads((corpus / "raw_data.json").read_text()):
        found[row["level"], row["problem_id"] + 1].append(row["file"])
    return {f"l{level}_p{number}.py": sorted(names)
            for (level, number), names in sorted(found.items())}


def evaluate(arguments, problem, names, gpus):
    """Writes a record for each of them. `gpus` holds the GPUs with room for a further problem."""
    gpu = gpus.get()
    try:
        evaluate_on(gpu, arguments, problem, names)
    finally:
        gpus.put(gpu)


def evaluate_on(gpu, arguments, problem, names):
    output = arguments.out / "evaluated" / problem
    output.parent.mkdir(exist_ok=True)
    output.unlink(missing_ok=True)
    command = [arguments.build / "bin" / "rkb", "evaluate", "--problem",
               arguments.corpus / "problems" / problem, "--json", output, *arguments.option]
    for name in names:
        command += ["--solution", arguments.corpus / "solutions" / f"{name}.py"]
    try:
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                              check=False, timeout=arguments.timeout * (1 + len(names)),
                              env={**os.environ, "CUDA_VISIBLE_DEVICES": str(gpu)})
    except subprocess.TimeoutExpired:
        return  # to be tried again
    found = {name: {"refused": reason} for name, reason in
             ((pathlib.Path(path).stem, reason) for path, reason in REFUSED.findall(done.stderr))}
    refused = PROBLEM.search(done.stderr)
    if refused:
        found = {name: {"refused": "the problem: " + refused[1]} for name in names}
    if output.exists():
        for kernel in json.loads(output.read_text())["kernels"]:
            found[pathlib.Path(kernel["solution"]["file"]).stem] = kernel
    for name in names:
        if name not in found:
            print(f"{problem} {name}: exit code {done.returncode}, {done.stderr[-300:]}", flush=True)
            continue
        record_of(arguments, name).write_text(json.dumps({"problem": problem, **found[name]}))


def record_of(arguments, name):
    return arguments.out / "records" / f"{name}.json"


def kernelbench_accepts(record):
    """KernelBench's rule applied to the outputs that we compared; None where it is not known."""
    trials = [case for case in record.get("cases", [])
              if case["name"].startswith("single/") and not case["asks"]]
    known = bool(trials)
    for case in trials:
        if not case["errors"]:
            if case["verdict"] not in BEYOND_KERNELBENCH:
                return False
            known = False
        elif not all(error["kernelbench_close"] for error in case["errors"]):
            return False
    if not trials and record["verdict"] in ("compile_error", "load_error"):
        return False
    return True if known else None


def reason_class(text):
    """The reason without the parts that only concern this source."""
    text = re.sub(r"\S+\.py\b", "FILE", text.split("; ")[0])
    text = re.sub(r"\b[\w.]+ is no weight", "W is no weight", text)
    text = re.sub(r"\d+(\.\d+)?", "N", text)
    return re.sub(r"(forward fails: \w+).*", r"\1", text)[:110]


def why(record):
    """The most usual inputs on which a solution fails: typical ones, other shapes, or probes."""
    if record["verdict"] == "cheat":
        return record["cheat_class"]
    failed = [case for case in record["cases"] if case["verdict"] not in ("pass", "skipped")]
    failed = [case for case in failed if case["name"] != "sequence"] or failed
    if any(not case["asks"] for case in failed):
        return "typical data"
    if any(case["asks"].startswith("drawn") for case in failed):
        return "drawn shapes"
    return ", ".join(sorted({case["name"].split("/")[0] for case in failed}))


def row_of(name, record):
    if "refused" in record:
        return [record["problem"], name, "refused", reason_class(record["refused"]), "-", ""]
    accepts = {True: "accepts", False: "rejects", None: "not known"}[kernelbench_accepts(record)]
    return [record["problem"], name, record["verdict"], why(record), accepts,
            record["solution"]["glue"]]


def sums_by_verdict(rows):
    sums = collections.defaultdict(collections.Counter)
    for _, _, verdict, _, accepts, _ in rows:
        sums[verdict][accepts] += 1
    most_first = sorted(sums.items(), key=lambda item: -item[1].total())
    return [[verdict, counts.total(), *(counts[x] for x in ("accepts", "rejects", "not known"))]
            for verdict, counts in most_first]


def sums_by_reason(rows, chosen):
    sums = collections.Counter((row[2], row[3]) for row in rows if chosen(row))
    return [[verdict, reason, count] for (verdict, reason), count in sums.most_common()]


def write_figures(arguments, known):
    records = {path.stem: json.loads(path.read_text())
               for path in (arguments.out / "records").glob("*.json")}
    rows = {**known, **{name: row_of(name, record) for name, record in records.items()}}
    rows = sorted(rows.values())
    figures = Figures(arguments.out)
    read = [row for row in rows if row[2] != "refused"]
    figures.record(machine(arguments.torch), evaluated=len(rows), with_verdict=len(read),
                   with_glue=sum(bool(row[5]) for row in read),
                   wrongly_accepted=sum(row[2] != "pass" and row[4] == "accepts" for row in read))
    figures.record_table("verdicts", ["verdict", "solutions", "KernelBench accepts", "it rejects",
                                      "not known"], sums_by_verdict(rows))
    figures.record_table("accepted_by_kernelbench", ["verdict", "on", "solutions"],
                         sums_by_reason(rows, lambda row: row[2] != "pass" and row[4] == "accepts"))
    figures.record_table("refused", ["verdict", "since", "solutions"],
                         sums_by_reason(rows, lambda row: row[2] == "refused"))
    figures.record_table("solutions", COLUMNS, rows)
    print((figures.out / "figures.md").read_text().split("| problem |")[0])


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--known", type=pathlib.Path, help="a run.json whose rows are kept")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "robust")
    parser.add_argument("--torch", default="2.11.0", help="the version that the build has")
    parser.add_argument("--most", type=int, default=80)
    parser.add_argument("--jobs", type=int, default=1,
                        help="problems at a time; they share a GPU as any programs of rkb do")
    parser.add_argument("--gpus", type=int, default=1, help="of this machine, which share the work")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for each solution")
    parser.add_argument("--option", action="append", default=[],
                        help="of rkb evaluate, as --option=--no-bench")
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    (arguments.out / "records").mkdir(parents=True, exist_ok=True)
    known = {}
    if arguments.known and arguments.known.exists():
        rows = json.loads(arguments.known.read_text())["tables"]["solutions"]["rows"]
        known = {row[1]: row for row in rows}
    gpus = queue.SimpleQueue()
    for job in range(arguments.jobs):
        gpus.put(job % arguments.gpus)
    left = arguments.most
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as jobs:
        for problem, names in solutions_of(arguments.corpus).items():
            waiting = [name for name in names
                       if name not in known and not record_of(arguments, name).exists()][:left]
            left -= len(waiting)
            if waiting:
                jobs.submit(evaluate, arguments, problem, waiting, gpus)
    write_figures(arguments, known)


if __name__ == "__main__":
    main()
