#include <algorithm>
#include <cstdio>
#include <unistd.h>

#include "command/command_line.hpp"
#include "core/error.hpp"
#include "core/output_file.hpp"
#include "core/program.hpp"
#include "core/speedup.hpp"
#include "device/cuda_driver.hpp"
#include "json_file.hpp"
#include "package_requests.hpp"
#include "runtime_cases.hpp"
#include <robust_kbench/registry.hpp>

#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

// The runtime cases of a build as Google Benchmark cases. `--benchmark_filter` and
// `--benchmark_list_tests` work as usual. Each case replays the samples of the bench engine as
// manual time. A sample is the mean of a batch, so Google Benchmark's time is the samples' mean.
// The counters hold the engine's median and interval.

namespace robust_kbench {
namespace {

using nlohmann::json;

void replay(benchmark::State& state, const RuntimeCaseResult& result) {
  if (!result.judgement.passes()) {
    state.SkipWithError((label(result.judgement) + ": " + result.judgement.reason).c_str());
    return;
  }
  while (state.KeepRunningBatch(result.timing.samples)) {
    for (const auto& worker : result.timing.samples_us) {
      for (const double sample : worker) state.SetIterationTime(1e-6 * sample);
    }
  }
  state.counters["median_us"] = result.timing.median_us;
  state.counters["ci_low_us"] = result.timing.ci_low_us;
  state.counters["ci_high_us"] = result.timing.ci_high_us;
  if (result.timing.hot_us > 0) state.counters["hot_us"] = result.timing.hot_us;
  if (result.timing.latency_us > 0) state.counters["latency_us"] = result.timing.latency_us;
  std::string label;
  for (const SpeedupRecord& speedup : result.speedups) {
    state.counters["x_" + speedup.against] = speedup.ratio;
    label += (label.empty() ? "" : ", ") + in_words(speedup);
  }
  state.SetLabel(label);
}

// Prints as Google Benchmark does, and keeps the results for a JSON file of our own. Google
// Benchmark's own file has a bare NaN, which is no JSON.
class Reporter final : public benchmark::ConsoleReporter {
 public:
  Reporter() : ConsoleReporter(isatty(STDOUT_FILENO) != 0 ? OO_Defaults : OO_None) {}
  void keep(json measured) { m_measured.push_back(std::move(measured)); }
  [[nodiscard]] const json& measured() const { return m_measured; }

 private:
  json m_measured = json::array();
};

struct Options {
  std::string manifest, device = "cpu", configs, json_file, package_requests;
  std::vector<std::string> against{"eager"};
  double cap_seconds = 0;
  int workers = 0;
  BenchOptions bench;
};

int run_cases(const Manifest& manifest, const TaskRegistry& tasks, const Options& options) {
  RuntimeCases cases(manifest, tasks, parse_device(options.device),
                     parse_config_set(options.configs), options.bench);
  const OutputFile json_file(options.json_file);
  Reporter reporter;
  bool rejected = false;
  for (const RuntimeCase& runtime_case : cases.cases()) {
    benchmark::RegisterBenchmark(runtime_case.name.c_str(),
                                 [&](benchmark::State& state) {
                                   const RuntimeCaseResult& result = cases.result(runtime_case);
                                   rejected |= !result.judgement.passes();
                                   reporter.keep(case_json(runtime_case, result));
                                   replay(state, result);
                                 })
        ->UseManualTime()
        ->Iterations(1)
        ->Repetitions(1)
        ->Unit(benchmark::kMicrosecond);
  }
  const std::size_t selected = benchmark::RunSpecifiedBenchmarks(&reporter);
  benchmark::Shutdown();
  if (selected == 0) {
    throw UserError(
        "no runtime case matches --benchmark_filter; --benchmark_list_tests lists them");
  }
  json_file.write(
      json{{"schema_version", record_schema_version},
           {"context", context_json(manifest, parse_device(options.device), options.bench)},
           {"cases", reporter.measured()}});
  if (cases.harness_failed()) return ExitCode::harness_error;
  return rejected ? ExitCode::rejected : ExitCode::pass;
}

int run(int argc, char** argv) {
  CommandLine command_line(
      "rkb_bench",
      "Runtime cases of every kernel of a build and its baselines. Options of Google "
      "Benchmark that select cases (--benchmark_filter=..., --benchmark_list_tests) are taken as "
      "well.");
  Options options;
  command_line.add_option("--manifest", options.manifest,
                          "Manifest of a build; default: this program's");
  command_line.add_option("--device", options.device, "Whose kernels are timed")
      .one_of({"cpu", "cuda"})
      .capture_default_str();
  command_line.add_option("--configs", options.configs, "Default: small on cpu, single on cuda")
      .one_of({"single", "multi", "small"});
  command_line
      .add_option(
          "--against", options.against,
          "Baselines: eager; compile, of which target compile_packages or `rkb "
          "compile-baseline` makes packages; on cuda also graph, and each with _tf32 behind")
      .delimiter(',')
      .capture_default_str();
  command_line
      .add_option(
          "--cap", options.cap_seconds,
          "Seconds per config, all subjects together, from the first round on; default: 2 on "
          "cpu, 0.5 on cuda")
      .between(0.001, 3600);
  command_line.add_option("--workers", options.workers, "Fresh processes per subject; default: 5")
      .between(2, 100);
  command_line.add_option("--json", options.json_file,
                          "Write machine facts, timings and samples here");
  command_line.add_option("--package-requests", options.package_requests,
                          "Write what make_compile_packages.py needs here, and time nothing");
  std::vector<std::string> rest;
  if (const std::optional<int> exit_code = command_line.parse(argc, argv, rest)) return *exit_code;
  const Device device = parse_device(options.device);
  const bool gpu = device == Device::cuda;
  if (options.configs.empty()) options.configs = gpu ? "single" : "small";
  if (options.cap_seconds == 0) options.cap_seconds = gpu ? 0.5 : 2;
  options.bench = usual_bench_options(device);
  options.bench.baselines = options.against;
  if (options.workers != 0) options.bench.workers = options.workers;
  options.bench.cap =
      std::chrono::milliseconds(static_cast<std::int64_t>(1000 * options.cap_seconds));

  const Manifest manifest = load_manifest(
      options.manifest.empty() ? default_manifest() : std::filesystem::path(options.manifest));
  const TaskRegistry tasks(registered_tasks());
  if (!options.package_requests.empty()) {
    OutputFile(options.package_requests)
        .write(package_requests(manifest, tasks, parse_config_set(options.configs), device));
    return ExitCode::pass;
  }
  const bool only_lists = std::any_of(rest.begin(), rest.end(), [](const std::string& argument) {
    return argument.starts_with("--benchmark_list_tests");
  });
  if (gpu && !only_lists && !cuda_facts().missing.empty()) {
    std::fprintf(stderr, "rkb_bench: nothing to measure: %s\n", cuda_facts().missing.c_str());
    return ExitCode::skipped;
  }
  std::vector<char*> arguments{argv[0]};
  for (std::string& argument : rest) arguments.push_back(argument.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return ExitCode::usage;
  return run_cases(manifest, tasks, options);
}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::run_program("rkb_bench", [&] { return robust_kbench::run(argc, argv); });
}
