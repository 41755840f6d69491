#!/usr/bin/env python3
"""Counts how many wrong CUDA kernels of our corpora other harnesses accept.

  benchmarks/other_harnesses.py --out DIRECTORY --robust-kbench CHECKOUT --kernelbench CHECKOUT

The checkouts are of SakanaAI/robust-kbench and of ScalingIntelligence/KernelBench. Each exploit with
a forward direction is given to both as it is. robust-kbench judges all configs of the task with its
tolerance of 1e-5. KernelBench gets a ModelNew on robust-kbench's single config. Both judge five seeds.
Kernels that we refuse for what their code asks for are left out, and those that do not compile. So are
those that end their process, its time or its memory in any case: no harness takes them for right.
A right kernel has to be accepted first. Needs a GPU, nvcc, a build of tests/exploits, and a Python
with torch. DIRECTORY/run.json is for docs/runs/other_harnesses.json.
"""

import argparse
import concurrent.futures
import importlib.util
import os
import pathlib
import subprocess
import sys
from unittest import mock

from figures import ROOT, Figures, first_line, machine

EXPLOITS = ROOT / "tests/exploits"
SEEDS = 5
SECONDS_TO_COMPILE = 400
SECONDS_TO_JUDGE = 100
# Kernels whose calls return have these verdicts, or are among the others.
RETURNS = {"wrong_result", "unsafe", "nondeterministic", "cheat"}
RETURNS_OFTEN = {"crashes_for_one_shape", "reads_past_its_input"}
# The harnesses import these modules, and judge kernels without them.
NOT_NEEDED = {"pycuda": ["pycuda.autoinit", "pycuda.driver"], "litellm": [], "openai": [],
              "dotenv": [], "datasets": [], "dotmap": [], "backoff": []}
FLAGS = ["-O3", "--use_fast_math"]  # robust-kbench's
# Both compile a kernel under the same name and flags, so that the second finds it compiled.
MODEL_NEW = """
from torch.utils.cpp_extension import load
KERNEL = load(name={name!r}, sources=[{file!r}], extra_cuda_cflags={flags!r},
              extra_include_paths=[{cutlass!r}], with_cuda=True)
class ModelNew(Model):
    def forward(self, *inputs):
        return super().forward(*inputs, fn=KERNEL.forward)
"""
PROBLEM = """
inputs_of_config = get_inputs
def get_inputs():
    return inputs_of_config(**{input_config!r})
def get_init_inputs():
    return []
"""


HARNESSES = ["robust-kbench", "KernelBench"]


def replace_what_is_not_needed():
    for name, parts in NOT_NEEDED.items():
        if importlib.util.find_spec(name) is None:
            for module in [name, *parts]:
                sys.modules[module] = mock.MagicMock()


def compile_for_both(checkout, task, file):
    from torch.utils.cpp_extension import load

    load(name=task, sources=[file], extra_cuda_cflags=FLAGS, with_cuda=True,
         extra_include_paths=[cutlass_of(checkout)])
    return True


def cutlass_of(checkout):
    """The path as robust-kbench gives it, so that the build directory is valid for both."""
    return str(pathlib.Path(checkout) / "robust_kbench/primitives/forward/../../../third_party/cutlass/include")


def judge_by_robust_kbench(checkout, task, file):
    import torch

    sys.path.insert(0, checkout)
    from robust_kbench.kernel_task import KernelTask
    from robust_kbench.primitives.forward.cuda_correct import cuda_correct

    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cuda.matmul.allow_tf32 = False
    judged = KernelTask(f"{checkout}/tasks/{task}", multi_input_settings=True, multi_init_settings=True)
    return bool(cuda_correct(judged, file, num_correct_trials=SEEDS)["summary"]["correct"])


def judge_by_kernelbench(checkouts, task, file):
    import torch

    robust_kbench, kernelbench = checkouts.split(":")
    sys.path[:0] = [robust_kbench, kernelbench + "/src"]
    from kernelbench.eval import eval_kernel_against_ref
    from robust_kbench.kernel_task import KernelTask

    judged = KernelTask(f"{robust_kbench}/tasks/{task}")
    [input_config], [init_config] = judged.get_input_settings(), judged.get_init_settings()
    problem = judged.module_text + PROBLEM.format(input_config=input_config)
    # Without arguments the class is made for the config.
    problem += f"import functools\nModel.__init__ = functools.partialmethod(Model.__init__, **{init_config!r})\n"
    ours = MODEL_NEW.format(name=task, file=file, flags=FLAGS, cutlass=cutlass_of(robust_kbench))
    result = eval_kernel_against_ref(problem, problem + ours, num_correct_trials=SEEDS,
                                     device=torch.device("cuda:0"), precision=torch.float32)
    return bool(result and result.correctness)


STEPS = {"compile": compile_for_both, "robust-kbench": judge_by_robust_kbench,
         "KernelBench": judge_by_kernelbench}


def wrong_forward_kernels():
    """Triples of a kernel's file, the task that it implements, and its name."""
    listed = subprocess.run([ROOT / "build/robust/tests/exploits/exploits_test", "--gtest_list_tests"],
                            capture_output=True, text=True, check=True).stdout
    verdict = ""
    for line in listed.splitlines():
        if not line.startswith(" "):
            verdict = line.split(".")[0].removeprefix("cuda_")
            continue
        name = line.split()[0]
        if not name.startswith("cuda/") or not (EXPLOITS / f"{name}.cu").exists():
            continue
        name = name.removeprefix("cuda/")
        if verdict in RETURNS or name in RETURNS_OFTEN:
            yield EXPLOITS / f"cuda/{name}.cu", "mnist_linear", name
    for file in sorted((EXPLOITS / "narrow").glob("*/forward/*.cu")):
        yield file, file.parent.parent.name, file.stem


def run_step(step, checkouts, task, file, directory, seconds):
    """Whether a step in a process of its own came to its end and said yes."""
    environment = os.environ | {"TORCH_EXTENSIONS_DIR": str(directory), "TORCH_CUDA_ARCH_LIST": "9.0",
                                "MAX_JOBS": "2"}
    directory.mkdir(parents=True, exist_ok=True)
    with (directory / f"{step}.log").open("w") as log:
        try:
            done = subprocess.run([sys.executable, __file__, "--step", step, checkouts, task, str(file)],
                                  stdout=log, stderr=subprocess.STDOUT, env=environment, timeout=seconds)
        except subprocess.TimeoutExpired:
            return False
    return done.returncode == 0 and (directory / f"{step}.log").read_text().endswith("accepted\n")


class Judge:
    """Compiles kernels and gives them to both harnesses."""

    def __init__(self, options):
        self.robust_kbench = str(options.robust_kbench.resolve())
        self.kernelbench = str(options.kernelbench.resolve())
        self.builds = options.out / "builds"

    def words(self, kernel):
        """The kernel's row: its name, its task, and what each harness says of it."""
        _, task, name = kernel
        if not self.run(kernel, "compile", self.robust_kbench, SECONDS_TO_COMPILE):
            return [name, task, *["does not compile"] * len(HARNESSES)]
        checkouts = [self.robust_kbench, f"{self.robust_kbench}:{self.kernelbench}"]
        return [name, task, *("accepts" if self.run(kernel, step, of_step, SECONDS_TO_JUDGE) else "refuses"
                              for step, of_step in zip(HARNESSES, checkouts))]

    def run(self, kernel, step, checkouts, seconds):
        file, task, name = kernel
        return run_step(step, checkouts, task, file, self.builds / f"{task}_{name}", seconds)


def main():
    if sys.argv[1:2] == ["--step"]:
        replace_what_is_not_needed()
        step, checkouts, task, file = sys.argv[2:]
        accepted = STEPS[step](checkouts, task, file)
        print("accepted" if accepted else "refused", flush=True)
        os._exit(0)  # an exploit's threads may keep the interpreter from its end
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--out", type=pathlib.Path, required=True)
    parser.add_argument("--robust-kbench", type=pathlib.Path, required=True)
    parser.add_argument("--kernelbench", type=pathlib.Path, required=True)
    parser.add_argument("--jobs", type=int, default=max(1, (os.cpu_count() or 2) - 2))
    options = parser.parse_args()
    options.out = options.out.resolve()
    figures = Figures(options.out)
    judge = Judge(options)
    figures.record(machine(first_line(sys.executable, "-c", "import torch; print(torch.__version__)")))
    control = judge.words((ROOT / "tasks/mnist_linear/forward.cu", "mnist_linear", "plain"))
    if control[2:] != ["accepts", "accepts"]:
        sys.exit(f"a right kernel: {', '.join(control[2:])}; a harness does not work here, see {judge.builds}")
    rows = []
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        begun = [pool.submit(judge.words, kernel) for kernel in wrong_forward_kernels()]
        for done in concurrent.futures.as_completed(begun):
            rows = sorted([*rows, done.result()])
            print(f"{len(rows)} of {len(begun)}: {' '.join(done.result())}", flush=True)
            # An interrupted run has what it found.
            figures.recorded["tables"]["accepted"] = {"columns": ["kernel", "task", *HARNESSES],
                                                      "rows": rows}
            figures.record()
    figures.table(["kernel", "task", *HARNESSES], rows)
    accepted = {harness: {row[0] for row in rows if row[column] == "accepts"}
                for column, harness in enumerate(HARNESSES, 2)}
    both = set.intersection(*accepted.values())
    figures.record(kernels=len(rows), accepted_by_both=len(both),
                   accepted_by_none=len(rows) - len(set.union(*accepted.values())),
                   **{f"accepted_by_{name.lower().replace('-', '_')}": len(kernels)
                      for name, kernels in accepted.items()})
    for harness, kernels in accepted.items():
        print(f"{harness} accepts {len(kernels)} of {len(rows)}")


if __name__ == "__main__":
    main()
