#pragma once

#include <string>

#include "core/manifest.hpp"
#include "runtime_cases.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The machine, the build and the source of a file of timings.
nlohmann::json context_json(const Manifest& manifest, Device device, const BenchOptions& options);

// One runtime case: names, timing with its samples by worker, roofline, speed-ups. There is no
// timing where the verdict is no pass. NaN and infinities are null.
nlohmann::json case_json(const RuntimeCase& runtime_case, const RuntimeCaseResult& result);

}  // namespace robust_kbench
