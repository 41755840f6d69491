#include "evolve/stop_rule.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

constexpr double near_least = 1.05;

// The share of the starts' tests and race that unseen configs take. They are few, and only a kernel
// and its parent race there.
constexpr double share_of_unseen = 0.25;

}  // namespace

double first_candidate_seconds(const StartSeconds& starts) {
  return starts.test + starts.race / 2;
}

double confirmation_seconds(const StartSeconds& starts) {
  return (1 + share_of_unseen) * (starts.test + starts.race);
}

std::optional<std::string> stop_reason(const Spent& spent, const EvolutionSettings& settings) {
  if (spent.seconds + spent.to_come >= 60 * settings.minutes) return wall_clock_reason;
  if (settings.max_evaluations > 0 && spent.evaluations >= settings.max_evaluations) {
    return "evaluations";
  }
  if (settings.gpu_seconds > 0 && spent.gpu_seconds >= settings.gpu_seconds) return "GPU seconds";
  if (settings.max_generations > 0 && spent.generations >= settings.max_generations) {
    return "generations";
  }
  if (spent.in_vain >= settings.plateau) return "plateau";
  return std::nullopt;
}

std::map<std::string, double> empty_times_us(const std::vector<ConfigTimingRecord>& timings) {
  std::map<std::string, double> times;
  for (const ConfigTimingRecord& config : timings) {
    if (const TimingRecord* empty = config.find("empty")) times[config.config] = empty->median_us;
  }
  return times;
}

bool at_least_time(const std::vector<ConfigTimingRecord>& timings,
                   const std::map<std::string, double>& empty_us) {
  const auto near = [&](const ConfigTimingRecord& config) {
    const auto empty = empty_us.find(config.config);
    const double least = std::max(config.roofline ? config.roofline->us : 0,
                                  empty == empty_us.end() ? 0 : empty->second);
    const TimingRecord* kernel = config.find("kernel");
    return kernel != nullptr && kernel->ci_high_us <= near_least * least;
  };
  return !timings.empty() && std::all_of(timings.begin(), timings.end(), near);
}

}  // namespace robust_kbench
