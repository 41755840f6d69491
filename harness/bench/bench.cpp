#include "bench/bench.hpp"

#include "bench/kernel_timer.hpp"
#include "device/cpu.hpp"

namespace robust_kbench {

BenchOptions usual_bench_options(Device device) {
  if (device == Device::cpu) return {};
  BenchOptions options;
  options.min_samples = 4;
  options.target_interval = 0.005;
  options.batch_span = std::chrono::milliseconds(3);
  options.batch_bytes = std::size_t{256} << 20;
  options.noop_calls = 64;
  options.same_within = same_within(device);
  return options;
}

std::vector<int> cpus_beside_timing() {
  constexpr std::size_t for_timing = 4;
  std::vector<int> cpus = usable_cpus();
  if (cpus.size() >= 2 * for_timing) cpus.erase(cpus.begin(), cpus.begin() + for_timing);
  return cpus;
}

BenchResult bench(KernelTimer& timer, const std::vector<Config>& configs,
                  const BenchOptions& options, const BenchRun& run) {
  BenchResult result;
  for (std::size_t i = 0; i < configs.size(); ++i) {
    if (run.on_config) run.on_config(i);
    const ConfigTimings timings = timer.measure(configs[i], run.baselines);
    const SubjectResult& kernel = timings.kernels.front();
    if (kernel.rejection) {
      result.judgement = *kernel.rejection;
      result.judgement.reason = configs[i].name + ": " + result.judgement.reason;
      break;
    }
    ConfigTimingRecord& config = result.timings.emplace_back();
    config.config = configs[i].name;
    config.roofline = timings.roofline;
    config.subjects.push_back(kernel.timing);
    const auto compare = [&](const SubjectResult& other) {
      config.subjects.push_back(other.timing);
      config.speedups.push_back(speedup(kernel.timing, other.timing, options.same_within));
    };
    for (std::size_t k = 1; k < timings.kernels.size(); ++k) {
      const SubjectResult& rival = timings.kernels[k];
      if (rival.rejection) {
        result.rejected_rivals.emplace(rival.timing.subject, *rival.rejection);
      } else {
        compare(rival);
      }
    }
    for (const SubjectResult& baseline : timings.baselines) compare(baseline);
    if (run.goes_on && !run.goes_on(result.timings)) break;
  }
  result.mean_speedups = mean_speedups(result.timings, options.same_within);
  return result;
}

}  // namespace robust_kbench
