#pragma once

#include <vector>

#include "filter/filter_options.hpp"
#include "filter/filter_result.hpp"
#include "filter/speedup_means.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The output of `rkb filter --json` (docs/filters.md).
nlohmann::json filter_json(const FilterOptions& options, const std::vector<TaskVerdict>& verdicts,
                           const std::optional<SpeedupMeans>& speedups);

}  // namespace robust_kbench
