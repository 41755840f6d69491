#include "agent/speedup_table.hpp"

#include "core/speedup.hpp"
#include "evolve/speedup_text.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

std::string speedup_table(const nlohmann::json& summary) {
  if (!summary.contains("in_search")) return "";
  std::string table = fmt::format("{:<22}{:>10}  {:<22}{:<22}\n", "over", "in search", "confirmed",
                                  "on unseen configs");
  for (const auto& [name, ratio] : summary.at("in_search").items()) {
    table += fmt::format("{:<22}{:>10}  {:<22}{:<22}\n", name, ratio_text(ratio.get<double>()),
                         summary_speedup(summary, "confirmed", name),
                         summary_speedup(summary, "unseen", name));
  }
  return table;
}

}  // namespace robust_kbench
