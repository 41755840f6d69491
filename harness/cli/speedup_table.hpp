#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The speed-ups of a run's winner by the run's summary: in search, confirmed, and on unseen
// configs. Each that it was compared with has a line. Empty where there is no winner.
std::string speedup_table(const nlohmann::json& summary);

}  // namespace robust_kbench
