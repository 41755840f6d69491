#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// An object with `ratio`, `ci_low` and `ci_high` for each subject that a kernel raced against.
nlohmann::json by_subject(const std::vector<SpeedupRecord>& speedups);

// The median times of each config, in microseconds, by subject. The raced kernel is the subject
// `kernel`.
nlohmann::json times_of(const std::vector<ConfigTimingRecord>& timings, const std::string& kernel);

// The speed-ups over each subject by other estimators (ipc/estimate.hpp), by their names: geometric
// means over the configs on which the estimator timed both. They have no interval.
nlohmann::json estimated_speedups(const std::vector<ConfigTimingRecord>& timings);

// The timings as if the kernel of that name had been the raced one. A config that lacks it is left
// out.
std::vector<ConfigTimingRecord> timings_as_kernel(std::vector<ConfigTimingRecord> timings,
                                                  const std::string& name);

}  // namespace robust_kbench
