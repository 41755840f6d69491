#pragma once

#include <ostream>
#include <string>

#include "report/comparison.hpp"

namespace robust_kbench {

// Prints a comparison in the format of --report: console, markdown or github. In GitHub Actions
// the log has the tables, the step's summary has Markdown, and what is worse is annotated.
void report_comparison(const std::string& format, const MeasurementComparison& comparison,
                       std::ostream& out, std::ostream& err);

}  // namespace robust_kbench
