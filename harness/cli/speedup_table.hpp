#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The speed-ups of a run's winner in search, confirmed and on unseen configs, a line for each that
// it was compared with, from the run's summary. Empty where it has none.
std::string speedup_table(const nlohmann::json& summary);

}  // namespace robust_kbench
