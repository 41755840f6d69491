#include "evolve/speedup_text.hpp"

#include "core/speedup.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

std::string with_interval(const SpeedupRecord& speedup) {
  return fmt::format("{} ({})", ratio_text(speedup.ratio),
                     interval_text({speedup.ci_low, speedup.ci_high}));
}

std::string summary_speedup(const nlohmann::json& summary, const std::string& group,
                            const std::string& subject) {
  if (!summary.contains(group) || !summary[group].contains(subject)) return "-";
  const nlohmann::json& speedup = summary[group][subject];
  return with_interval({.against = subject,
                        .ratio = speedup.at("ratio"),
                        .ci_low = speedup.at("ci_low"),
                        .ci_high = speedup.at("ci_high")});
}

}  // namespace robust_kbench
