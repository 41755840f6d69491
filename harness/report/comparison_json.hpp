#pragma once

#include "report/comparison.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Fields are added within a version, and never renamed or removed. docs/compare.md describes all.
inline constexpr int comparison_schema_version = 1;

nlohmann::json comparison_json(const MeasurementComparison& comparison);

}  // namespace robust_kbench
