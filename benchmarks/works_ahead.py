#!/usr/bin/env python3
"""Measures what a CPU kernel gains by a second processor that works ahead on other calls.

  benchmarks/works_ahead.py --out DIRECTORY [--rounds 3]

benchmarks/working_ahead.cpp is evaluated with and without that, in turns. DIRECTORY/run.json is for
docs/runs/works_ahead.json. It needs two processors.
"""

import argparse
import json
import pathlib
import statistics
import subprocess

from figures import ROOT, Figures, machine, torch_version

RKB = ROOT / "build/robust/bin/rkb"
KERNEL = ROOT / "benchmarks/working_ahead.cpp"
SHAPES = [(16, 256, 32), (32, 512, 64), (64, 1024, 64)]  # batch, inputs, outputs


def time_us(shape, records, definitions):
    batch, inputs, outputs = shape
    config = (f"batch_size={batch},num_input_features={inputs},num_output_features={outputs},"
              "init_method=normal")
    subprocess.run([RKB, "evaluate", "--task", "mnist_linear", "--direction", "forward",
                    "--config", config, "--scope", "quick", "--json", records, *definitions, KERNEL],
                   check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    kernel = json.loads(records.read_text())["kernels"][0]
    assert kernel["verdict"] == "pass", kernel["reason"]
    return kernel["timings"][0]["subjects"][0]["median_us"]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    figures = Figures(options.out)
    rows = []
    for shape in SHAPES:
        rounds = [[time_us(shape, figures.out / "records.json", definitions)
                   for definitions in ([], ["--define", "WORKS_AHEAD"])]
                  for _ in range(options.rounds)]
        honest, ahead = (statistics.median(times) for times in zip(*rounds))
        rows.append(["x".join(map(str, shape)), f"{honest:.0f}", f"{ahead:.0f}",
                     f"{honest / ahead:.2f}x"])
    figures.record(machine(torch_version(RKB)))
    figures.record_table("gain", ["rows x inputs x outputs", "honest, us", "works ahead, us",
                                  "false gain"], rows)


if __name__ == "__main__":
    main()
