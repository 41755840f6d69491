#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Returns a table of the winner's speed-ups by the run's summary: in search, confirmed, and on
// unseen configs. It has a row for each kernel or baseline that raced against it. Empty where there
// is no winner.
std::string speedup_table(const nlohmann::json& summary);

}  // namespace robust_kbench
