#include "bench/bench.hpp"

#include <algorithm>
#include <chrono>
#include <utility>

#include "bench/kernel_timer.hpp"
#include "device/cpu.hpp"

#include <fmt/format.h>

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

namespace {

bool is_slow(const SubjectResult& subject) {
  return subject.slow_call.has_value();
}

// One of the kernels that are timed together.
class Entrant {
 public:
  Entrant(std::size_t place, std::size_t entrants, const BenchRun& run)
      : m_place(place), m_entrants(entrants), m_run(run) {}

  [[nodiscard]] bool goes_on() const { return m_goes_on; }

  void announce(std::size_t config) const {
    if (m_run.on_config) m_run.on_config(config);
  }

  void take(const std::string& config_name, const ConfigTimings& timings, double same_within) {
    const SubjectResult& kernel = timings.kernels.at(m_place);
    if (kernel.rejection) {
      m_result.judgement = on_config(config_name, *kernel.rejection);
      m_goes_on = false;
      return;
    }
    if (kernel.false_spans && !m_result.false_spans) {
      m_result.false_spans = on_config(config_name, *kernel.false_spans);
    }
    note_slow_call(config_name, kernel);
    if (!kernel.is_timed()) return;
    ConfigTimingRecord& config = m_result.timings.emplace_back();
    config.config = config_name;
    config.roofline = timings.roofline;
    config.busy_cpus = timings.busy_cpus;
    config.disturbance = timings.disturbance;
    config.subjects.push_back(kernel.timing);
    const auto compare = [&](const SubjectResult& other) {
      config.subjects.push_back(other.timing);
      config.speedups.push_back(
          speedup(kernel.timing, other.timing, same_within, config.disturbance));
    };
    for (std::size_t k = m_entrants; k < timings.kernels.size(); ++k) {
      const SubjectResult& rival = timings.kernels[k];
      if (rival.rejection) {
        m_result.rejected_rivals.emplace(rival.timing.subject, *rival.rejection);
      } else if (!rival.is_timed()) {
        m_result.rejected_rivals.emplace(rival.timing.subject, too_slow(rival));
      } else {
        compare(rival);
      }
    }
    for (const SubjectResult& baseline : timings.baselines) compare(baseline);
    m_goes_on = !m_run.goes_on || m_run.goes_on(m_result.timings);
  }

  // Ends the kernel's run, since its slow calls have taken too long.
  void give_up(std::size_t configs_left) {
    m_goes_on = false;
    if (configs_left == 0) return;
    note(fmt::format("{} left out, since those before took too long",
                     configs_left == 1 ? "one more config was"
                                       : fmt::format("{} more configs were", configs_left)));
  }

  BenchResult result(double same_within) {
    m_result.mean_speedups = mean_speedups(m_result.timings, same_within);
    return std::move(m_result);
  }

 private:
  static Judgement on_config(const std::string& config, Judgement judgement) {
    judgement.reason = config + ": " + judgement.reason;
    return judgement;
  }

  static Judgement too_slow(const SubjectResult& subject) {
    return {.verdict = Verdict::skipped,
            .reason = "too slow to time: " + slow_call_text(*subject.slow_call)};
  }

  void note_slow_call(const std::string& config, const SubjectResult& kernel) {
    if (!kernel.slow_call) return;
    note(fmt::format("{}: {}, since {}", config,
                     kernel.is_timed() ? "timed with few calls" : "too slow to time",
                     slow_call_text(*kernel.slow_call)));
  }

  void note(const std::string& text) {
    m_result.note += (m_result.note.empty() ? "" : "\n") + text;
  }

  std::size_t m_place;
  std::size_t m_entrants;
  const BenchRun& m_run;
  BenchResult m_result;
  bool m_goes_on = true;
};

}  // namespace

BenchResult bench(KernelTimer& timer, const std::vector<Config>& configs,
                  const BenchOptions& options, const BenchRun& run) {
  return std::move(bench_together(timer, configs, options, {run}).front());
}

std::vector<BenchResult> bench_together(KernelTimer& timer, const std::vector<Config>& configs,
                                        const BenchOptions& options,
                                        const std::vector<BenchRun>& runs) {
  std::vector<Entrant> entrants;
  for (std::size_t i = 0; i < runs.size(); ++i) entrants.emplace_back(i, runs.size(), runs[i]);
  std::chrono::duration<double> on_slow_configs{};
  for (std::size_t i = 0; i < configs.size(); ++i) {
    const auto start = std::chrono::steady_clock::now();
    if (std::ranges::none_of(entrants, &Entrant::goes_on)) break;
    for (const Entrant& entrant : entrants) {
      if (entrant.goes_on()) entrant.announce(i);
    }
    const ConfigTimings timings =
        timer.measure(configs[i], {.baselines = runs.front().baselines, .entrants = runs.size()});
    for (std::size_t place = 0; place < entrants.size(); ++place) {
      Entrant& entrant = entrants[place];
      if (!entrant.goes_on()) continue;
      entrant.take(configs[i].name, timings, options.same_within);
      const bool others_go_on = entrants.size() > 1 && i + 1 < configs.size();
      if (!entrant.goes_on() && others_go_on) timer.leave(place);
    }
    if (std::ranges::none_of(timings.kernels, is_slow)) continue;
    on_slow_configs += std::chrono::steady_clock::now() - start;
    if (on_slow_configs < options.pace.all_configs_time) continue;
    for (Entrant& entrant : entrants) {
      if (entrant.goes_on()) entrant.give_up(configs.size() - i - 1);
    }
  }
  std::vector<BenchResult> results;
  for (Entrant& entrant : entrants) results.push_back(entrant.result(options.same_within));
  return results;
}

}  // namespace robust_kbench
