#pragma once

#include <vector>

#include "report/measured.hpp"

#include <nlohmann/json_fwd.hpp>

// What benchmark files say. Both functions throw UserError or nlohmann::json::exception for a file
// that is not of their kind.
namespace robust_kbench {

// The kernels of a file that `rkb_bench --json` has written (docs/records.md).
std::vector<Measured> runtime_cases_of(const nlohmann::json& file);

// The benchmarks of Google Benchmark's JSON, of any program. Repetitions are the samples, and five
// of them at least make an interval.
std::vector<Measured> google_benchmarks_of(const nlohmann::json& file);

}  // namespace robust_kbench
