#pragma once

#include <string>

#include "core/timing_record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The ratio with its interval: "2.53x (2.50..2.63)".
std::string with_interval(const SpeedupRecord& speedup);

// The ratio with its interval from a run's summary: of the group `confirmed` or `unseen`, over the
// subject. It is "-" where there is none.
std::string summary_speedup(const nlohmann::json& summary, const std::string& group,
                            const std::string& subject);

}  // namespace robust_kbench
