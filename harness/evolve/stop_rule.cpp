#include "evolve/stop_rule.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

constexpr double near_roofline = 1.05;

}  // namespace

std::optional<std::string> stop_reason(const Spent& spent, const EvolutionSettings& settings) {
  const double wall = 60 * settings.minutes * (1 - confirmation_share);
  if (spent.seconds >= wall) return "wall clock";
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

bool at_roofline(const std::vector<ConfigTimingRecord>& timings) {
  const auto near = [](const ConfigTimingRecord& config) {
    return config.roofline && !config.subjects.empty() &&
           config.subjects.front().ci_high_us <= near_roofline * config.roofline->us;
  };
  return !timings.empty() && std::all_of(timings.begin(), timings.end(), near);
}

}  // namespace robust_kbench
