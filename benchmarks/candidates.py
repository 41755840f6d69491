#!/usr/bin/env python3
"""Measures how many distinct candidates a run of `rkb evolve` decides in a minute, and its loop's
cost.

  benchmarks/candidates.py --out DIRECTORY [--device cpu] [--candidates 24] [--evaluate]
                           [--entries layernorm.forward,mnist_linear.forward] [--gpus 0,1]
                           [--unsafe]

All candidates compile. Half are wrong in one element, a quarter is right and slower than the
parent, and a quarter is as fast. The parent is the plain kernel. The loop's cost is the time of a
candidate outside its stages: to propose it, to decide and to record. It is given where one is
evaluated at a time. `--evaluate` then lets one `rkb evaluate` judge the same sources. Both have the
GPUs of `--gpus`.
"""

import argparse
import datetime
import pathlib
import shutil
import subprocess
import sys
import time

import evolve_run

STEPS = 600000  # 2 ms
CUDA_KERNELS = """
namespace {

__global__ void spoil(float* y) { y[0] += 1.0f; }

__global__ void spend(float* y, int steps, float one, float zero) {
  float value = y[0];
  for (int step = 0; step < steps; ++step) value = value * one + zero;
  y[0] = value;
}

}  // namespace

"""
CUDA_SPOILS = "  spoil<<<1, 1, 0, stream>>>(y.data_ptr<float>());\n"
CUDA_SPENDS = "  spend<<<1, 1, 0, stream>>>(y.data_ptr<float>(), 100000, 1.0f, 0.0f);\n"  # 0.2 ms


def before_return(text, line):
    assert text.count("  return y;\n") == 1
    return text.replace("  return y;\n", f"{line}  return y;\n")


def candidate(entry, number, suffix):
    """The text of a distinct candidate."""
    text = evolve_run.plain_kernel(entry, suffix)
    cuda = suffix == ".cu"
    if number % 2 == 0:
        text = before_return(text, CUDA_SPOILS if cuda else "  y.data_ptr<float>()[0] += 1.0f;\n")
    elif number % 4 == 1:
        text = before_return(text, CUDA_SPENDS) if cuda else evolve_run.slower(text, STEPS)
    entry_point = evolve_run.ENTRY.search(text)
    mark = f"  static volatile int mark = {number};\n  mark = mark + 1;\n"
    text = f"{text[:entry_point.end()]}{mark}{text[entry_point.end():]}"
    if not cuda:
        return text
    return f"{text[:entry_point.start()]}{CUDA_KERNELS}{text[entry_point.start():]}"


def gpus(arguments):
    return ["--gpus", arguments.gpus] if arguments.gpus else []


def moment(event):
    return datetime.datetime.fromisoformat(event["at"].replace("Z", "+00:00")).timestamp()


def measure(arguments, entry):
    rkb = arguments.build / "bin" / "rkb"
    directory = arguments.out / entry
    shutil.rmtree(directory, ignore_errors=True)
    archive = directory / "archive"
    suffix = {"cpu": ".cpp", "cuda": ".cu"}[arguments.device]
    texts = {f"{number:04}{suffix}": candidate(entry, number, suffix)
             for number in range(arguments.candidates)}
    evolve_run.evolve(rkb, entry, archive, evolve_run.propose_from(directory, texts),
                      device=arguments.device,
                      options=[*gpus(arguments), *evolve_run.unsafe(arguments)])
    events = evolve_run.events_of(archive)
    raced = next(i for i, event in enumerate(events) if event["event"] == "seeds")
    decided = [event for event in events[raced:]
               if event["event"] == "proposal" and event["outcome"] in ("refused", "accepted")]
    first = next(event for event in events[raced:] if event["event"] == "trying")
    seconds = moment(decided[-1]) - moment(first)
    rows = evolve_run.proposals_of(rkb, archive)
    stages = sum(sum(row["seconds"].values()) for row in rows)
    reasons = {}
    for row in rows:
        reason = row["reason_class"] if row["outcome"] == "refused" else row["outcome"]
        reasons[reason] = reasons.get(reason, 0) + 1
    loop = f"{(seconds - stages) / len(rows):.2f}" if arguments.device == "cpu" else "-"
    by_stage = {}
    for row in rows:
        for stage, spent in row["seconds"].items():
            by_stage[stage] = by_stage.get(stage, 0) + spent
    print(f"{entry}: seconds by stage, over all candidates: "
          + ", ".join(f"{stage} {spent:.1f}" for stage, spent in by_stage.items()), file=sys.stderr)
    return len(rows), seconds, loop, reasons, texts


def evaluate(arguments, entry, texts):
    """Seconds of one `rkb evaluate` of all sources."""
    task, direction = entry.split(".")
    directory = arguments.out / entry / "evaluated"
    directory.mkdir(parents=True)
    for name, text in texts.items():
        (directory / name).write_text(text)
    start = time.monotonic()
    subprocess.run([arguments.build / "bin" / "rkb", "evaluate", *gpus(arguments), "--task", task,
                    "--direction", direction, *sorted(directory.iterdir())], check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return time.monotonic() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--entries", default="layernorm.forward,mnist_linear.forward")
    parser.add_argument("--candidates", type=int, default=24)
    parser.add_argument("--device", choices=["cpu", "cuda"], default="cpu")
    parser.add_argument("--evaluate", action="store_true")
    parser.add_argument("--gpus", default="", help="with --device cuda")
    evolve_run.add_unsafe(parser)
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    print("| entry | candidates | a minute | loop, s each | decided as |"
          " a minute of rkb evaluate |\n|---|---|---|---|---|---|")
    for entry in arguments.entries.split(","):
        count, seconds, loop, reasons, texts = measure(arguments, entry)
        text = ", ".join(f"{number} {reason}" for reason, number in sorted(reasons.items()))
        evaluated = "-"
        if arguments.evaluate:
            evaluated = f"{60 * count / evaluate(arguments, entry, texts):.1f}"
        print(f"| {entry} | {count} | {60 * count / seconds:.1f} | {loop} | {text} |"
              f" {evaluated} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
