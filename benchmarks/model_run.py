#!/usr/bin/env python3
"""Makes the robust-kbench paper's run with a stub for its models, and checks the ledger.

  benchmarks/model_run.py --out stub_run [--entry layernorm.forward] [--device cuda] [--seed 1]
                          [--delay 2] [--set max_generations=10] [--python PYTHON] [--build BUILD]
                          [--unsafe]

The stub listens on loopback, speaks both wire formats and answers as five models. Its kernels are
edits of the plain one, those of this build, wrong and broken ones. It also refuses some requests.
Nothing leaves this machine. Prints a row of a Markdown table, and which tools have profiled how
many kernels. Exits with 1 if the run did not end, or if the ledger differs from the stub's counts.

PYTHON has the package genai-prices, which prices the tokens that the stub has counted. The default
is that of the build, which the run itself needs, too: llm/install.py BUILD/llm_venv makes it.
"""

import argparse
import collections
import pathlib
import random
import re
import shutil
import subprocess
import sys
import time

import evolve_run
import stub_models

ANSWERS = 96  # different ones, before they repeat
# The frequency of each kind of answer.
WEIGHTS = {"edited": 40, "shipped": 20, "wrong": 20, "broken": 12, "none": 8}
# The first of these edits that applies makes a source wrong.
SPOILED = [("= 0.0f;", "= 1.0f;"), ("fmaxf(", "fminf("), ("std::max(", "std::min("),
           ("1.0f", "2.0f"), ("return ", "return {}; return ")]
INCLUDED = re.compile(r'^#include "([^"]+)"\n', re.M)
RIGHT = ("slower", "no_gain")
HEADER = ("| entry | device | proposals | evaluated | valid | winner over plain | calls | attempts | "
          "tokens | cost by ledger | by stub | minutes |\n|---|---|---|---|---|---|---|---|---|---|---"
          "|---|")


def inlined(path, seen):
    """The source with its own headers in place of their includes, each once."""
    seen.add(path)

    def header(match):
        included = (path.parent / match[1]).resolve()
        return "" if included in seen else inlined(included, seen)

    return INCLUDED.sub(header, path.read_text().replace("#pragma once\n", ""))


def with_edit(text, number):
    """The same kernel with a change in its machine code."""
    return f"{text}\nint edit_{number}() {{ return {number}; }}\n"


def spoiled(text):
    old, new = next(pair for pair in SPOILED if pair[0] in text)
    return text.replace(old, new, 1)


def kernels(entry, device):
    """The plain kernel of an entry, and those that the build ships."""
    suffix = ".cu" if device == "cuda" else ".cpp"
    task, direction = entry.split(".")
    plain = evolve_run.SOURCE / "tasks" / task / f"{direction}{suffix}"
    shipped = sorted((evolve_run.SOURCE / "kernels" / task / direction).glob(f"*{suffix}"))
    return inlined(plain, set()), [inlined(path, set()) for path in shipped]


def answers(plain, shipped, tag, seed):
    """Answers of all kinds, in a random order."""
    chance = random.Random(seed)

    def code(kind, number):
        text = with_edit(chance.choice(shipped or [plain]) if kind == "shipped" else plain, number)
        if kind == "wrong":
            return spoiled(text)
        return text.replace("return ", "retrun ", 1) if kind == "broken" else text

    kinds = chance.choices(list(WEIGHTS), list(WEIGHTS.values()), k=ANSWERS)
    return ["No kernel comes to my mind." if kind == "none" else stub_models.kernel_answer(
        code(kind, number), tag, f"{kind}_{number}", f"{kind} {number}")
        for number, kind in enumerate(kinds)]


def scenario(arguments):
    """The stub's answer to each prompt of docs/prompts.md."""
    plain, shipped = kernels(arguments.entry, arguments.device)
    tag = "cuda" if arguments.device == "cuda" else "cpp"
    verdicts = [stub_models.VERDICT.format(valid) for valid in ("True", "True", "False")]
    rules = [
        # Fewer failures than would make the helper avoid a host.
        {"status": 429, "headers": {"retry-after": "0"}, "times": 2},
        {"status": 500, "times": 1},
        {"contains": "FINAL VERIFICATION ANSWER", "quote": stub_models.MARK, "texts": verdicts},
        {"contains": "You read profiles of", "text": "1. Use the cache.\n2. Unroll.\n3. Fuse.\n"},
        {"contains": "You condense error messages", "text": "A name is not declared."},
        {"contains": "You translate operators", "text": stub_models.kernel_answer(plain, tag)},
        {"texts": answers(plain, shipped, tag, arguments.seed)}]
    return {"rules": [{**rule, "delay_s": arguments.delay} for rule in rules]}


def run(arguments, stub):
    """Runs `rkb evolve`. Its output is kept in output.txt of its archive."""
    task, direction = arguments.entry.split(".")
    archive = arguments.out / "archive"
    archive.mkdir()
    command = [arguments.build / "bin" / "rkb", "evolve", "--task", task, "--direction", direction,
               "--device", arguments.device, "--preset", "paper", "--archive", archive,
               "--max-usd", "1000", "--set", f"seed={arguments.seed}",
               *evolve_run.unsafe(arguments)]
    for setting in arguments.set:
        command += ["--set", setting]
    with open(archive / "output.txt", "w", encoding="utf-8") as output:
        subprocess.run(command, check=False, stdout=output, stderr=output, env=stub.environment())
    return archive


def tokens_of(stub_requests):
    """Input and output tokens by model, as the stub has reported them."""
    tokens = collections.Counter()
    for model, usage in stub_models.reported(stub_requests):
        tokens[model] += usage["input_tokens"] + usage["output_tokens"]
    return tokens


def charged_tokens(calls):
    """Input and output tokens by model, by the ledger."""
    tokens = collections.Counter()
    for call in calls:
        if call["state"] == "charged":
            tokens[call["model"].partition("/")[2]] += call["charged_tokens"]
    return tokens


def compared(python, calls, requests):
    """Micro-dollars by the ledger and by the stub, and whether the ledger agrees with the stub's
    counts."""
    ledger = sum(call["charged_micro_usd"] or 0 for call in calls)
    provider_of = {call["model"].partition("/")[2]: call["model"].partition("/")[0]
                   for call in calls}
    by_stub = stub_models.price(python, provider_of, requests)
    return ledger, by_stub, (ledger == by_stub and charged_tokens(calls) == tokens_of(requests)
                             and len(calls) == len(requests))


def evaluated(rows):
    """The proposals that were tested."""
    return [row for row in rows if "screen" in row["seconds"]]


def profilers(arguments, archive):
    """The number of kernels that each tool has profiled, seeds included."""
    rows = evolve_run.exported(arguments.build / "bin" / "rkb", archive,
                               evolve_run.ended_run(archive)["run"])
    kernels = [kernel for row in rows if row["type"] == "proposal" and row["record"]
               for kernel in row["record"]["kernels"]]
    looked = collections.Counter(tool["tool"] for kernel in kernels
                                 for tool in (kernel.get("profile") or {"tools": []})["tools"]
                                 if not tool.get("missing") and not tool.get("failed"))
    return ", ".join(f"{tool} {count}" for tool, count in sorted(looked.items())) or "none"


def row(arguments, archive, minutes, requests):
    """The row, and whether the ledger agrees with the stub's counts."""
    ended = evolve_run.ended_run(archive)
    rows = evolve_run.proposals_of(arguments.build / "bin" / "rkb", archive)
    tested = evaluated(rows)
    right = [each for each in tested
             if each["outcome"] != "refused" or each["reason_class"] in RIGHT]
    calls = stub_models.calls_of(archive)
    ledger, by_stub, agrees = compared(arguments.python, calls, requests)
    confirmed = ended["summary"].get("confirmed", {})
    gain = confirmed.get("plain", confirmed.get("parent", {"ratio": 1.0}))["ratio"]
    cells = [arguments.entry, arguments.device, len(rows), len(tested),
             f"{len(right) / max(1, len(tested)):.0%}", f"{gain:.2f}",
             len({call["call"] for call in calls}), len(calls),
             sum(call["charged_tokens"] for call in calls), f"${ledger / 1e6:.4f}",
             f"${by_stub / 1e6:.4f}", f"{minutes:.1f}"]
    return "| " + " | ".join(map(str, cells)) + " |", agrees


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--entry", default="layernorm.forward")
    parser.add_argument("--device", default="cpu", choices=["cpu", "cuda"])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--delay", type=float, default=2, help="seconds before each answer")
    parser.add_argument("--set", action="append", default=[], help="a setting as key=value")
    parser.add_argument("--build", type=pathlib.Path, default=evolve_run.SOURCE / "build" / "robust")
    parser.add_argument("--python", type=pathlib.Path)
    evolve_run.add_unsafe(parser)
    arguments = parser.parse_args()
    arguments.out = arguments.out.resolve()
    arguments.python = arguments.python or stub_models.python_of(arguments.build)
    shutil.rmtree(arguments.out, ignore_errors=True)
    arguments.out.mkdir(parents=True)
    with stub_models.Stub(arguments.out / "stub", scenario(arguments)) as stub:
        began = time.monotonic()
        archive = run(arguments, stub)
        minutes = (time.monotonic() - began) / 60
        requests = stub.requests()
    if not evolve_run.ended_run(archive):
        sys.exit(f"the run did not end; see {archive / 'output.txt'}")
    text, agrees = row(arguments, archive, minutes, requests)
    print(f"{HEADER}\n{text}\n\nKernels profiled: {profilers(arguments, archive)}")
    if not agrees:
        sys.exit("the ledger differs from what the stub has counted")
    return 0


if __name__ == "__main__":
    sys.exit(main())
