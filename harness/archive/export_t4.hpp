#pragma once

#include <string>

#include "archive/archive.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The tuned proposals of a run in T4, the autotuners' common format of results (schema 1.0.0 of
// github.com/odgaard/TuningSchema). These are the proposals with `tunables` in their settings,
// without duplicates. Times are milliseconds, and the objective is the mean over the configs.
nlohmann::json export_t4(const Archive& archive, const std::string& run);

}  // namespace robust_kbench
