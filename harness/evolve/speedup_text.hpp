#pragma once

#include <string>

#include "core/timing_record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// "2.53x (2.50..2.63)": the ratio with its interval.
std::string with_interval(const SpeedupRecord& speedup);

// The same of a run's summary: of the group `confirmed` or `unseen`, over the subject. "-" where it
// has none.
std::string summary_speedup(const nlohmann::json& summary, const std::string& group,
                            const std::string& subject);

}  // namespace robust_kbench
