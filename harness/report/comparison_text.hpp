#pragma once

#include <string>

#include "report/comparison.hpp"

// A comparison for a person: verdict changes first, then times, then what was not compared.
namespace robust_kbench {

// "worse: 1 verdict, 2 times beyond 5 %", or "not worse: 3 kernels compared, 1 case not told
// apart".
std::string conclusion(const MeasurementComparison& comparison);

std::string comparison_console(const MeasurementComparison& comparison);

// For a comment on a pull request: what is worse, a table of kernels, and the cases folded away.
std::string comparison_markdown(const MeasurementComparison& comparison);

}  // namespace robust_kbench
