#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <limits>

#include "bench/call_source.hpp"
#include "bench/kernel_timer.hpp"
#include "broker/worker_process.hpp"
#include "check/batch.hpp"
#include "check/examiner.hpp"
#include "core/error.hpp"
#include "core/program.hpp"
#include "core/seed.hpp"
#include "core/speedup.hpp"
#include "evaluate/build.hpp"
#include "evaluate/scope.hpp"
#include "tensor/generator.hpp"
#include "tensor/task_registry.hpp"
#include <robust_kbench/registry.hpp>

#include <benchmark/benchmark.h>

// Measures what the harness itself costs and how far its timings can be trusted, with the kernels
// of the build. There are four benchmarks for each kernel:
//   start_to_first_case/<kernel>  a worker's start, loading the kernel, one call of a case
//   case_overhead/<kernel>        a case of the suite, less the kernel's calls and the reference
//   content/<kernel>              drawing the content of timed calls, a call
//   itself/<kernel>               the kernel timed against itself
// Every call of the last one but "same" or "ambiguous" is wrong.

namespace robust_kbench {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int starts = 20;
constexpr int seeds = 1;
// The content of a batch, in bytes.
constexpr std::size_t content_bytes = std::size_t{32} << 20;
constexpr std::size_t max_content_calls = 1024;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// One kernel of the build and the objects that its measurements need.
struct Subject {
  const Manifest& manifest;
  const Task& task;
  const KernelSource& kernel;

  [[nodiscard]] std::vector<Config> configs() const {
    return configs_of(manifest, task, kernel.entry.direction, {ConfigSet::small});
  }
};

void start_to_first_case(benchmark::State& state, const Subject& subject) {
  const Direction direction = subject.kernel.entry.direction;
  const Workload workload{subject.task, direction, subject.configs().front().params};
  const Tensors tensors = make_tensors(workload, 1);
  WorkerOptions options;
  options.program = subject.manifest.toolchain.worker;
  options.arena_bytes = arena_bytes(workload);
  for (auto _ : state) {
    const auto start = Clock::now();
    WorkerProcess worker(options);
    answer_of(worker.load(
        {.library = subject.kernel.library, .entry = std::string(to_string(direction))}));
    Batch batch(worker, workload);
    batch.place({&tensors, 1});
    answer_of(batch.prepare());
    answer_of(batch.run());
    answer_of(batch.collect(0));
    state.SetIterationTime(seconds_since(start));
  }
}

void case_overhead(benchmark::State& state, const Subject& subject) {
  ExamineOptions options;
  options.worker.program = subject.manifest.toolchain.worker;
  const std::vector<CaseRecord> records =
      examine(subject.task, subject.kernel.entry, subject.kernel.library,
              cases_of(subject.configs(), seeds), options);
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(records.size()))) {
    for (const CaseRecord& record : records) {
      state.SetIterationTime(record.total_seconds - record.kernel_seconds -
                             record.reference_seconds);
    }
  }
}

// Bytes per second of all configs together, and of the slowest one.
void content(benchmark::State& state, const Subject& subject) {
  const std::vector<Config> configs = subject.configs();
  double bytes = 0;
  double slowest = std::numeric_limits<double>::infinity();
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(configs.size()))) {
    for (const Config& config : configs) {
      CallSource source({subject.task, subject.kernel.entry.direction, config.params},
                        secret_key());
      const std::size_t calls =
          std::clamp<std::size_t>(content_bytes / source.bytes_per_call(), 1, max_content_calls);
      source.batch(calls);  // it takes the memory
      const auto start = Clock::now();
      source.batch(calls);
      const double seconds = seconds_since(start);
      state.SetIterationTime(seconds / static_cast<double>(calls));
      const double of_config = static_cast<double>(calls * source.bytes_per_call());
      bytes += of_config / static_cast<double>(calls);
      slowest = std::min(slowest, of_config / seconds);
    }
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(bytes));
  state.counters["slowest_config"] =
      benchmark::Counter(slowest, benchmark::Counter::kDefaults, benchmark::Counter::kIs1024);
}

void itself(benchmark::State& state, const Subject& subject) {
  const BenchOptions options;
  const std::vector<Config> configs = subject.configs();
  KernelTimer timer(subject.manifest, subject.task, subject.kernel.entry, Device::cpu, configs,
                    {{"first", subject.kernel.library}, {"second", subject.kernel.library}},
                    options);
  double wrong = 0;
  double furthest = 0;
  while (state.KeepRunningBatch(static_cast<benchmark::IterationCount>(configs.size()))) {
    for (const Config& config : configs) {
      const ConfigTimings timings = timer.measure(config);
      for (const SubjectResult& result : timings.kernels) {
        if (result.rejection) throw Rejection(*result.rejection);
      }
      const SpeedupRecord ratio =
          speedup(timings.kernels[0].timing, timings.kernels[1].timing, options.same_within);
      wrong += ratio.call == RatioCall::faster || ratio.call == RatioCall::slower ? 1 : 0;
      furthest = std::max(furthest, std::abs(ratio.ratio - 1));
      state.SetIterationTime(1e-6 * timings.kernels[0].timing.median_us);
    }
  }
  state.counters["configs"] = static_cast<double>(configs.size());
  state.counters["wrong_calls"] = wrong;
  state.counters["furthest_from_1"] = furthest;
}

int run(int argc, char** argv) {
  const Manifest manifest = load_manifest(default_manifest());
  const TaskRegistry tasks(registered_tasks());
  std::vector<Subject> subjects;
  for (const KernelSource& kernel : manifest.kernels) {
    if (kernel.device != Device::cpu || !load_build_record(kernel).judgement.passes()) continue;
    subjects.push_back({manifest, tasks.find(kernel.entry.task), kernel});
  }
  const auto add = [&](const char* name, auto function, int iterations) {
    for (const Subject& subject : subjects) {
      const std::string full =
          std::string(name) + "/" + subject.kernel.entry.name() + "." + subject.kernel.name;
      benchmark::RegisterBenchmark(full.c_str(),
                                   [&subject, function](benchmark::State& state) {
                                     try {
                                       function(state, subject);
                                     } catch (const std::exception& error) {
                                       state.SkipWithError(error.what());
                                     }
                                   })
          ->UseManualTime()
          ->Iterations(iterations)
          ->Unit(benchmark::kMillisecond);
    }
  };
  add("start_to_first_case", start_to_first_case, starts);
  add("case_overhead", case_overhead, 1);
  add("content", content, 1);
  add("itself", itself, 1);
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) {
    throw UserError("only options of Google Benchmark are taken, such as --benchmark_filter=");
  }
  const std::size_t selected = benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  if (selected == 0) throw UserError("nothing matches --benchmark_filter");
  return ExitCode::pass;
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run_program("rkb_overhead", [&] { return robust_kbench::run(argc, argv); });
}
