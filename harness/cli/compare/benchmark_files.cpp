#include "cli/compare/benchmark_files.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "bench/baseline.hpp"
#include "core/case.hpp"
#include "core/counted.hpp"
#include "core/error.hpp"
#include "core/json_fields.hpp"
#include "core/timing_record.hpp"

#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

bool is_baseline_name(const std::string& subject) {
  try {
    (void)parse_baseline(subject, Device::cuda);  // the GPU has those of the CPU and more
    return true;
  } catch (const UserError&) {
    return false;
  }
}

// Older files name no host, so their machine is unknown.
std::string machine_of(const json& context, Device device) {
  if (!context.contains("host")) return "";
  const bool on_gpu = device == Device::cuda && context.at("gpu").is_string();
  return machine_in_words(
      context.at("host").get<std::string>(), context.at("cpu").get<std::string>(),
      context.at("usable_cpus").get<int>(), on_gpu ? context.at("gpu").get<std::string>() : "");
}

// The kernel of a runtime case, which is added where it is new.
Measured& kernel_of(std::vector<Measured>& kernels, const json& runtime_case, Device device,
                    const std::string& machine) {
  const std::string entry = runtime_case.at("task").get<std::string>() + "." +
                            runtime_case.at("direction").get<std::string>();
  const std::string name = entry + "." + runtime_case.at("subject").get<std::string>();
  const auto known = std::ranges::find(kernels, name, &Measured::name);
  if (known != kernels.end()) return *known;
  kernels.push_back({.name = name,
                     .place = entry + " on " + std::string(to_string(device)),
                     .device = device,
                     .machine = machine});
  return kernels.back();
}

// The samples of baselines, by entry and config, then by name.
using BaselineSamples = std::map<std::string, std::map<std::string, WorkerSamples>>;

std::string where(const json& runtime_case) {
  return runtime_case.at("task").get<std::string>() + "." +
         runtime_case.at("direction").get<std::string>() + "." +
         runtime_case.at("config").get<std::string>();
}

BaselineSamples baselines_of(const json& cases) {
  BaselineSamples baselines;
  for (const json& runtime_case : cases) {
    const auto subject = runtime_case.at("subject").get<std::string>();
    if (!is_baseline_name(subject) || runtime_case.at("timing").is_null()) continue;
    baselines[where(runtime_case)][subject] =
        runtime_case.at("timing").get<TimingRecord>().samples_us;
  }
  return baselines;
}

double microseconds_of(const std::string& unit) {
  constexpr std::array<std::pair<std::string_view, double>, 4> units{
      {{"ns", 1e-3}, {"us", 1}, {"ms", 1e3}, {"s", 1e6}}};
  const auto known =
      std::ranges::find(units, std::string_view(unit), &std::pair<std::string_view, double>::first);
  if (known == units.end()) throw UserError("time_unit " + unit + " is none of ns, us, ms and s");
  return known->second;
}

// Adds one repetition of a benchmark.
void add_repetition(const json& benchmark, Measured& measured) {
  if (benchmark.value("error_occurred", false)) {
    measured.judgement = {.verdict = Verdict::skipped,
                          .reason = benchmark.value("error_message", std::string())};
    return;
  }
  if (measured.configs.empty()) measured.configs.push_back({.samples_us = {{}}});
  const double time = benchmark.at("real_time").get<double>() *
                      microseconds_of(benchmark.at("time_unit").get<std::string>());
  if (!(time > 0)) throw UserError("real_time of " + measured.name + " is not above 0");
  measured.configs.front().samples_us.front().push_back(time);
}

void doubt_few_repetitions(Measured& measured) {
  constexpr std::size_t least = 5;
  for (MeasuredConfig& config : measured.configs) {
    const std::size_t repetitions = config.samples_us.front().size();
    if (repetitions >= least) continue;
    config.doubt = counted(repetitions, "repetition") + " of at least 5";
  }
}

}  // namespace

std::vector<Measured> runtime_cases_of(const json& file) {
  const json& context = file.at("context");
  const Device device = parse_device(context.value("device", std::string("cpu")));
  const std::string machine = machine_of(context, device);
  const BaselineSamples baselines = baselines_of(file.at("cases"));
  std::vector<Measured> kernels;
  for (const json& runtime_case : file.at("cases")) {
    if (is_baseline_name(runtime_case.at("subject").get<std::string>())) continue;
    Measured& kernel = kernel_of(kernels, runtime_case, device, machine);
    const Judgement judgement = get_judgement(runtime_case);
    if (outranks(judgement.verdict, kernel.judgement.verdict)) kernel.judgement = judgement;
    if (runtime_case.at("timing").is_null()) continue;
    const auto beside = baselines.find(where(runtime_case));
    MeasuredConfig config{.config = runtime_case.at("config").get<std::string>(),
                          .samples_us = runtime_case.at("timing").get<TimingRecord>().samples_us};
    if (beside != baselines.end()) config.baselines_us = beside->second;
    kernel.configs.push_back(std::move(config));
  }
  return kernels;
}

std::vector<Measured> google_benchmarks_of(const json& file) {
  const json& context = file.at("context");
  const std::string machine = context.at("host_name").get<std::string>() + " (" +
                              counted(context.at("num_cpus").get<std::size_t>(), "processor") + ")";
  std::vector<Measured> benchmarks;
  for (const json& benchmark : file.at("benchmarks")) {
    if (benchmark.value("run_type", std::string("iteration")) != "iteration") continue;
    const std::string name = benchmark.value("run_name", benchmark.at("name").get<std::string>());
    auto known = std::ranges::find(benchmarks, name, &Measured::name);
    if (known == benchmarks.end()) {
      benchmarks.push_back({.name = name, .machine = machine});
      known = benchmarks.end() - 1;
    }
    add_repetition(benchmark, *known);
  }
  if (benchmarks.empty()) {
    throw UserError("it has aggregates alone; leave out --benchmark_report_aggregates_only");
  }
  for (Measured& benchmark : benchmarks) doubt_few_repetitions(benchmark);
  return benchmarks;
}

}  // namespace robust_kbench
