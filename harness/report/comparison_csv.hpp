#pragma once

#include <string>

#include "report/comparison.hpp"

namespace robust_kbench {

// A comparison as a table for spreadsheets, with cells quoted as by csv_cell(). It has one row for
// each changed verdict and for each case of which both sides have times. A kernel with several
// cases has one more for their mean. Cells that a row has no value for are empty.
std::string comparison_csv(const MeasurementComparison& comparison);

}  // namespace robust_kbench
