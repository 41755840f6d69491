#include "cli/archive/last_errors.hpp"

#include <map>
#include <set>

#include "process/escape.hpp"

#include <fmt/format.h>

namespace robust_kbench {

std::string last_errors(const std::vector<CallRow>& calls) {
  const std::set<std::string> unsent{"", "not_granted", "circuit_open", "interrupted", "unknown"};
  std::map<std::string, std::string> errors;  // by model
  std::set<std::string> answered;
  for (const CallRow& row : calls) {
    if (row.status == "ok") answered.insert(row.identity.model);
    if (row.status == "ok" || unsent.contains(row.status)) continue;
    errors[row.identity.model] = fmt::format("{}: {}", row.status, row.message);
  }
  std::string text;
  for (const auto& [model, error] : errors) {
    if (answered.contains(model)) continue;
    text += fmt::format("{} never answered; its last error: {}\n", model, escaped_line(error));
  }
  return text;
}

}  // namespace robust_kbench
