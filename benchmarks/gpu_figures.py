#!/usr/bin/env python3
"""Builds the suite and makes every figure about GPUs that docs/results.md states.

  benchmarks/gpu_figures.py --out figures [--published robust-kbench] [--only entries,power]

Writes figures/figures.md, and its records beside it. figures/run.json of a run of all parts becomes
docs/runs/h100.json, from which docs/make_figures.py writes the pages. Needs a GPU, nvcc, and a
Python that can import torch (this one, unless --python names another). `--published` is a checkout
of SakanaAI/robust-kbench, whose kernels are compiled and run as they are. Without it the parts that
need them are left out. The parts `isolation` and `side_by_side` are made only where --only names
them. Exits with 1 if a command failed, or a kernel was rejected that should pass.
"""

import concurrent.futures
import json
import os
import pathlib
import shutil
import statistics
import subprocess
import sys
import threading
import time

from figures import Figures, differing_parts, figures_parser, first_line, machine

SOURCE = pathlib.Path(__file__).resolve().parent.parent
PARTS = ["published", "compile", "entries", "estimators", "power", "throughput"]
ONLY_WHEN_ASKED = ["isolation", "side_by_side"]
TIMED = {"entries", "estimators", "throughput"}  # parts with times against torch.compile
CONVOLVE = "conv|resnet"  # the entries that torch computes in TF32 unless told otherwise
BASELINES = ["eager", "compile", "graph"]
TF32_BASELINES = ["eager_tf32", "compile_tf32", "graph_tf32"]
THROUGHPUT_TASKS = ["layernorm", "mnist_linear", "llama_rmsnorm", "mnist_cross_entropy"]
COPIES = 12
SIDE_BY_SIDE_TASKS = ["layernorm", "llama_rmsnorm", "mnist_cross_entropy"]
EVALUATIONS = 8
EVALUATIONS_AT_A_TIME = 6
EVALUATION_LIMIT = 300  # seconds; alone each takes 5 to 20
HONEST = SOURCE / "kernels" / "mnist_linear" / "forward" / "warp_dot.cu"
EXPLOITS = SOURCE / "tests" / "exploits" / "cuda"
NEIGHBOURS = {
    "passes": HONEST,
    "writes to a null pointer": EXPLOITS / "writes_to_null.cu",
    "launches more than there is": EXPLOITS / "launches_too_much_shared_memory.cu",
    "takes all memory": EXPLOITS / "allocates_with_cuda_malloc_without_end.cu",
    "never returns": EXPLOITS / "never_returns.cu",
}
PUBLISHED_AT_A_TIME = 3  # they share the memory of one GPU
PUBLISHED_ALONE = {"resnet_block"}  # with its float64 references it takes nearly all of that


def parse_arguments():
    parser = figures_parser(__doc__)
    parser.add_argument("--build", type=pathlib.Path, default=SOURCE / "build" / "robust")
    parser.add_argument("--published", type=pathlib.Path)
    parser.add_argument("--python", default=sys.executable)
    parser.add_argument("--only", default=",".join(PARTS))
    return parser.parse_args()


class GpuFigures(Figures):
    def __init__(self, arguments):
        super().__init__(arguments.out)
        self.arguments = arguments
        self.build = arguments.build.resolve()
        self.rkb = self.build / "bin" / "rkb"

    def configure(self):
        self.run(
            "configure",
            *["cmake", "-S", SOURCE, "-B", self.build, "-G", "Ninja"],
            *["-D", "CMAKE_BUILD_TYPE=Release"],
            *["-D", f"RobustKBench_PYTHON={self.arguments.python}"],
        )

    def make(self, *targets):
        self.run(f"build.{targets[0]}", "cmake", "--build", self.build, "--target", *targets)

    def doctor(self):
        self.run("doctor", self.rkb, "doctor")
        self.write("```", (self.out / "doctor.log").read_text().strip(), "```")

    def packages(self, gpu_is_free):
        """Makes the packages, after importing torch before the GPU is free."""
        requests = self.out / "requests.json"
        self.run(
            "requests",
            *[self.build / "bin" / "rkb_bench", "--device", "cuda"],
            *["--package-requests", requests],
        )
        self.run(
            "packages",
            *[self.arguments.python, SOURCE / "benchmarks" / "make_compile_packages.py"],
            *["--requests", "/dev/stdin", "--jobs", os.cpu_count() or 1],
            late_input=lambda: gpu_is_free.wait() and requests.read_text(),
        )

    def compile(self):
        """Measures how long kernels take to compile, and one with torch's own headers, too."""
        def measure(what, *arguments):
            path = self.out / f"{what}.json"
            program = SOURCE / "benchmarks" / "compile_time.py"
            self.run(
                what,
                *[self.arguments.python, program, "--rkb", self.rkb, "--json", path],
                *["--python", self.arguments.python, *arguments],
                check=False,
            )
            return json.loads(path.read_text())["kernels"] if path.exists() else []

        kernels = sorted(SOURCE.glob("kernels/*/*/*.cu"))
        with concurrent.futures.ThreadPoolExecutor() as pool:
            over_torch = pool.submit(measure, "compile.torch", HONEST)
            shipped = measure("compile", "--shim-only", *kernels)
        for kernel in over_torch.result():
            if "ratio" in kernel:
                self.write(
                    f"{kernel['kernel']} compiles in {kernel['shim_seconds']:.2f} s, with torch's "
                    f"own headers in {kernel['torch_seconds']:.1f} s: {kernel['ratio']:.0f} times."
                )
                self.record(compile_shim_seconds=kernel["shim_seconds"],
                            compile_torch_seconds=kernel["torch_seconds"])
        for what, key in [
            ("compile", "shim_seconds"),
            ("give a first verdict (--quick)", "quick_seconds"),
            ("compile again, from the cache,", "again_seconds"),
        ]:
            seconds = sorted(kernel[key] for kernel in shipped if key in kernel)
            if seconds:
                self.write(
                    f"{len(seconds)} shipped kernels {what} in {seconds[0]:.2f} to "
                    f"{seconds[-1]:.2f} s each, p50 {statistics.median(seconds):.2f} s."
                )
                self.record(**{f"compile_{key}_median": statistics.median(seconds)})

    def entries(self):
        """Times all entries against torch without TF32. Where torch would use it, also against
        torch by default."""
        cases = self.race("entries", BASELINES, f"--benchmark_filter=-{CONVOLVE}")
        convolutions = self.race(
            "convolutions", BASELINES + TF32_BASELINES, f"--benchmark_filter={CONVOLVE}"
        )
        self.compare("entries", cases + convolutions, BASELINES)
        self.compare("tf32", convolutions, TF32_BASELINES)

    def race(self, what, baselines, *arguments):
        path = self.out / f"{what}.json"
        self.run(
            what,
            *[self.build / "bin" / "rkb_bench", "--device", "cuda", *arguments],
            *["--against", ",".join(baselines), "--json", path],
            check=False,
        )
        return json.loads(path.read_text())["cases"]

    def compare(self, name, cases, baselines):
        by_entry = {}
        for case in cases:
            configs = by_entry.setdefault(f"{case['task']} {case['direction']}", {})
            configs.setdefault(case["config"], []).append(case)
        rows = []
        for entry, configs in sorted(by_entry.items()):
            usual = next(iter(configs))
            for config, subjects in configs.items():
                label = entry + "".join(f", {part}" for part in differing_parts(config, usual))
                rows += self.rows_of(label, subjects, baselines)
        ratios = [f"{baseline} / kernel" for baseline in baselines[:2]]
        self.record_table(name, ["entry", "kernel, us", *baselines, *ratios, "roofline"], rows)

    def rows_of(self, label, cases, baselines):
        times = {case["subject"]: case["timing"] for case in cases if case["timing"]}
        for case in cases:
            if case["subject"] in BASELINES + TF32_BASELINES:
                continue
            timing = case["timing"]
            if timing is None:
                yield [label, case["reason"], *[""] * 6]
                continue
            speedups = {s["against"]: [s["ratio"], s["ci_low"], s["ci_high"]]
                        for s in case["speedups"]}
            roofline = case["roofline"]
            share = 100 * roofline["us"] / timing["median_us"]
            subjects = [case["subject"], *baselines]
            yield [
                label,
                *[times[s]["median_us"] if s in times else "-" for s in subjects],
                *[speedups.get(b, "-") for b in baselines[:2]],
                f"{share:.0f} % of {roofline['bound'].split(',')[0]}",
            ]

    def estimators(self):
        others = ["events", "do_bench", "autorange", "cupti", "graph"]
        path = self.out / "estimators.json"
        self.run(
            "estimators",
            *[self.rkb, "bench", "--task", "mnist_linear", "--direction", "forward"],
            *["--kernel", "warp_dot", "--against", ",".join(BASELINES), "--json", path],
            *["--estimators", ",".join(others)],
        )
        record = json.loads(path.read_text())["kernels"][0]
        times = {}
        for config in record["timings"]:
            for timing in config["subjects"]:
                times["robust", timing["subject"]] = timing["median_us"]
                times["hot", timing["subject"]] = timing["hot_us"]
                times["latency", timing["subject"]] = timing["latency_us"]
            for estimate in config["estimates"]:
                times[estimate["estimator"], estimate["subject"]] = estimate["time_us"]
        subjects = ["kernel", "eager", "compile", "graph"]
        rows = []
        for estimator in ["robust", "hot", "latency", *others]:
            cells = [times.get((estimator, subject)) for subject in subjects]
            rows.append([estimator] + [cell or "-" for cell in cells])
        self.record_table("estimators", ["us"] + subjects, rows)

    def power(self):
        self.run("power", self.build / "bin" / "rkb_power", "--json", self.out / "power.json")
        self.write("```", (self.out / "power.log").read_text().strip(), "```")

    def published_kernels(self):
        return sorted((self.arguments.published / "highlighted").glob("*/*/kernel.cu"))

    def record_of_published(self, kernel, scope, *options):
        direction, task = kernel.parent.name, kernel.parent.parent.name
        name = f"published.{scope}.{task}.{direction}"
        path = self.out / f"{name}.json"
        self.run(
            name,
            *[self.rkb, "evaluate", "--task", task, "--direction", direction, "--no-bench"],
            *["--all-cases", "--scope", scope, *options, "--json", path, kernel],
            check=False,
        )
        return json.loads(path.read_text())["kernels"][0]

    def test_published(self, kernel):
        """Tests on the configs of older figures, then on all tested configs."""
        listed = self.record_of_published(kernel, "listed", "--configs", "multi")
        full = self.record_of_published(kernel, "full")
        passed = sum(case["verdict"] == "pass" for case in listed["cases"])
        wrong = [c["name"] for c in full["cases"] if c["verdict"] not in ("pass", "skipped")]
        return [
            f"{kernel.parent.parent.name} {kernel.parent.name}",
            *[listed["verdict"], f"{passed}/{len(listed['cases'])}", full["verdict"]],
            *[str(sum(case["refused"] for case in full["cases"])), wrong[0] if wrong else "-"],
            listed["headers"],
        ]

    def published(self, gpu_is_free):
        """Tests published kernels. Those that need nearly all memory go first, the others beside
        each other."""
        kernels = self.published_kernels()
        alone = [kernel for kernel in kernels if kernel.parent.parent.name in PUBLISHED_ALONE]
        rows = [self.test_published(kernel) for kernel in alone]
        gpu_is_free.set()
        with concurrent.futures.ThreadPoolExecutor(PUBLISHED_AT_A_TIME) as pool:
            rows += pool.map(self.test_published, [k for k in kernels if k not in alone])
        header = ["published kernel", "verdict on multi", "cases", "full scope", "refused"]
        self.record_table("published", [*header, "first that fails", "headers"], rows)

    def throughput(self):
        for scope in ("full", "listed"):
            self.throughput_of(scope)

    def throughput_of(self, scope):
        seconds = 0
        kernels = 0
        for task in THROUGHPUT_TASKS:
            source = self.arguments.published / "highlighted" / task / "forward" / "kernel.cu"
            directory = self.out / "copies" / task
            directory.mkdir(parents=True, exist_ok=True)
            copies = [directory / f"kernel_{i}.cu" for i in range(COPIES)]
            for copy in copies:
                shutil.copy(source, copy)
            path = self.out / f"throughput.{scope}.{task}.json"
            seconds += self.run(
                f"throughput.{scope}.{task}",
                *[self.rkb, "evaluate", "--task", task, "--direction", "forward"],
                *["--scope", scope, "--no-cache", "--against", "eager,compile"],
                *["--json", path, *copies],
                check=False,
            )
            records = json.loads(path.read_text())["kernels"]
            kernels += sum(record["verdict"] == "pass" for record in records)
        expected = COPIES * len(THROUGHPUT_TASKS)
        self.write(
            f"{kernels} of {expected} kernels passed with scope {scope} in {seconds:.1f} s: "
            f"{3600 * kernels / seconds:.0f} kernels per GPU-hour."
        )
        self.record(**{f"kernels_an_hour_{scope}": round(3600 * kernels / seconds)})

    def isolation(self):
        """Reports the verdict of a kernel beside bad ones, its moment, and the kernel's time."""
        kernels = [str(HONEST)]
        for neighbour in NEIGHBOURS.values():
            kernels += [str(neighbour), str(HONEST)]
        path = self.out / "isolation.json"
        command = [self.rkb, "evaluate", "--task", "mnist_linear", "--direction", "forward"]
        command += ["--configs", "single", "--no-cache", "--jobs", "1", "--call-timeout", "3"]
        command += ["--json", path, *kernels]
        told = []  # (verdict, when) of each kernel
        with subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        ) as evaluation:
            for line in evaluation.stderr:
                kernel, _, verdict = line.strip().rpartition(": ")
                if kernel in kernels:
                    told.append((verdict, time.monotonic()))
        if len(told) < len(kernels):
            sys.exit(f"isolation: rkb evaluate told of {len(told)} of {len(kernels)} kernels")
        rows = []
        timed = [record["timings"] for record in json.loads(path.read_text())["kernels"]][2::2]
        for what, (verdict, then), (next_verdict, now), timings in zip(
            NEIGHBOURS, told[1::2], told[2::2], timed
        ):
            time_us = "{median_us:.2f} ({ci_low_us:.2f}..{ci_high_us:.2f})"
            kernel = [time_us.format(**config["subjects"][0]) for config in timings]
            rows.append([what, verdict, next_verdict, f"{now - then:.2f}", *kernel])
            if next_verdict != "pass":
                self.failed.append(f"isolation: after one that {what}")
        header = ["a kernel that", "verdict", "the next one's", "comes after, s", "its time, us"]
        self.table(header, rows)


    def passes(self, name, kernel):
        """Whether a kernel passes in a process of its own that compiles it anew."""
        task, direction = kernel.parts[-3:-1]
        records = self.records_of(
            name, self.rkb, EVALUATION_LIMIT,
            *["--task", task, "--direction", direction, "--no-cache", kernel],
        )
        return bool(records) and records[0]["verdict"] == "pass"

    def side_by_side(self):
        """Compares several processes on one GPU with the same processes one after another."""
        kernels = sorted(
            kernel for task in SIDE_BY_SIDE_TASKS for kernel in SOURCE.glob(f"kernels/{task}/*/*.cu")
        )
        kernels = [kernels[i % len(kernels)] for i in range(EVALUATIONS)]
        rows = []
        seconds = {}
        for at_a_time in (1, EVALUATIONS_AT_A_TIME):
            names = [f"side_by_side.{at_a_time}.{i}" for i in range(EVALUATIONS)]
            start = time.monotonic()
            with concurrent.futures.ThreadPoolExecutor(at_a_time) as pool:
                passed = sum(pool.map(self.passes, names, kernels))
            seconds[at_a_time] = time.monotonic() - start
            rows.append([at_a_time, f"{passed} of {EVALUATIONS}", f"{seconds[at_a_time]:.1f}"])
            if passed < EVALUATIONS:
                self.failed.append(f"side_by_side, {at_a_time} at a time")
        if seconds[EVALUATIONS_AT_A_TIME] > seconds[1]:
            self.failed.append("side_by_side, which takes longer than one after another")
        self.table(["evaluations at a time", "pass", "seconds in all"], rows)


def main():
    arguments = parse_arguments()
    parts = arguments.only.split(",")
    known = PARTS + ONLY_WHEN_ASKED
    unknown = set(parts) - set(known)
    if unknown:
        sys.exit(f"--only {','.join(unknown)}: there are {', '.join(known)}")
    if arguments.published is None:
        parts = [part for part in parts if part not in ("published", "throughput")]
    start = time.monotonic()
    figures = GpuFigures(arguments)
    version = "import torch; print(torch.__version__)"
    figures.record(machine(first_line(arguments.python, "-c", version)))
    figures.configure()
    figures.make("rkb")
    figures.doctor()
    gpu_is_free = threading.Event()

    def prepare_timing():
        figures.make("rkb_bench", "kernels", "rkb_power")
        if TIMED & set(parts):
            figures.packages(gpu_is_free)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        beside = [pool.submit(prepare_timing)]
        # One core is enough, and nothing is timed yet.
        if "compile" in parts:
            beside.append(pool.submit(figures.compile))
        try:
            if "published" in parts:
                figures.published(gpu_is_free)
        finally:
            gpu_is_free.set()
        for done in beside:
            done.result()
    for part in parts:
        if part not in ("published", "compile"):
            getattr(figures, part)()
    figures.record(seconds=round(time.monotonic() - start))
    print(f"{figures.out / 'figures.md'} was made in {figures.recorded['facts']['seconds']} s")
    if figures.failed:
        sys.exit(f"failed: {', '.join(figures.failed)}; see the logs in {figures.out}")


if __name__ == "__main__":
    main()
