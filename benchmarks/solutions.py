#!/usr/bin/env python3
"""Evaluates published solutions of KernelBench, and counts what becomes of them by class.

  benchmarks/solutions.py --corpus LEADERBOARD/docs/assets --records DIR [--most 80]

The corpus is a copy of KernelBench's leaderboard: problems/l1_p1.py, solutions/HASH.py, and
raw_data.json, which counts problems from 0. A solution that has a record is not evaluated again, so
a run that ended early is continued by the same command. --most is of solutions in one call. Without
a GPU the extensions are read and compiled, and their tests are skipped.
"""

import argparse
import collections
import concurrent.futures
import json
import pathlib
import re
import subprocess

SOURCE = pathlib.Path(__file__).resolve().parents[1]
REFUSED = re.compile(r"^(\S+\.py) is refused: (.*)$", re.MULTILINE)
PROBLEM = re.compile(r"--problem \S+ is refused: (.*)")
BEYOND_KERNELBENCH = ("cheat", "sandbox_violation", "unsafe", "skipped", "harness_error")


def solutions_of(corpus):
    """Names of solutions by problem, sorted."""
    found = collections.defaultdict(list)
    for row in json.loads((corpus / "raw_data.json").read_text()):
        found[row["level"], row["problem_id"] + 1].append(row["file"])
    return {key: sorted(names) for key, names in sorted(found.items())}


def evaluate(arguments, problem, names):
    """Writes a record for each of them."""
    records = arguments.records
    output = records / "evaluated" / problem
    output.parent.mkdir(exist_ok=True)
    output.unlink(missing_ok=True)
    command = [arguments.build / "bin" / "rkb", "evaluate", "--problem",
               arguments.corpus / "problems" / problem, "--json", output, *arguments.option]
    for name in names:
        command += ["--solution", arguments.corpus / "solutions" / f"{name}.py"]
    try:
        done = subprocess.run([str(word) for word in command], text=True, capture_output=True,
                              check=False, timeout=arguments.timeout * (1 + len(names)))
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
        (records / f"{name}.json").write_text(json.dumps({"problem": problem, **found[name]}))


def kernelbench_accepts(record):
    """Its rule on the outputs that we compared; None where it is not known."""
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


def class_of(record):
    if "refused" in record:
        return "refused"
    if record["verdict"] == "cheat":
        return f"cheat ({record['cheat_class']})"
    return record["verdict"]


def reason_class(text):
    """The reason without what only this source says."""
    text = re.sub(r"\S+\.py\b", "FILE", text.split("; ")[0])
    text = re.sub(r"\b[\w.]+ is no weight", "W is no weight", text)
    text = re.sub(r"\d+(\.\d+)?", "N", text)
    return re.sub(r"(forward fails: \w+).*", r"\1", text)[:110]


def print_table(records):
    rows = collections.defaultdict(lambda: [0, 0, 0, 0])
    reasons, glue = collections.Counter(), 0
    for record in records:
        row = rows[class_of(record)]
        row[0] += 1
        if "refused" in record:
            reasons[reason_class(record["refused"])] += 1
            continue
        glue += bool(record["solution"]["glue"])
        accepts = kernelbench_accepts(record)
        row[1 + [True, False, None].index(accepts)] += 1
    read = sum(row[0] for name, row in rows.items() if name != "refused")
    compiled = read - rows["compile_error"][0] - rows["load_error"][0]
    print(f"\n{len(records)} solutions: {read} read, {glue} of them with glue, {compiled} compile\n")
    print("| verdict | solutions | KernelBench accepts | it rejects | not known |")
    print("|---|---|---|---|---|")
    for name, row in sorted(rows.items(), key=lambda item: -item[1][0]):
        if row[0]:
            print(f"| {name} | {row[0]} | {row[1]} | {row[2]} | {row[3]} |")
    if reasons:
        print("\n| refused, since | solutions |\n|---|---|")
        for reason, count in reasons.most_common():
            print(f"| {reason} | {count} |")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--corpus", type=pathlib.Path, required=True)
    parser.add_argument("--records", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build" / "robust")
    parser.add_argument("--most", type=int, default=80)
    parser.add_argument("--jobs", type=int, default=1,
                        help="problems at a time; they share the GPU as any programs of rkb do")
    parser.add_argument("--timeout", type=float, default=300.0, help="seconds for each solution")
    parser.add_argument("--option", action="append", default=[],
                        help="of rkb evaluate, as --option=--no-bench")
    arguments = parser.parse_args()
    arguments.records.mkdir(parents=True, exist_ok=True)
    left = arguments.most
    everything = solutions_of(arguments.corpus)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as jobs:
        for (level, number), names in everything.items():
            waiting = [n for n in names if not (arguments.records / f"{n}.json").exists()][:left]
            left -= len(waiting)
            if waiting:
                jobs.submit(evaluate, arguments, f"l{level}_p{number}.py", waiting)
    records = [json.loads((arguments.records / f"{name}.json").read_text())
               for names in everything.values() for name in names
               if (arguments.records / f"{name}.json").exists()]
    print_table(records)


if __name__ == "__main__":
    main()
