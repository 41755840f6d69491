#pragma once

#include <string>
#include <vector>

#include "filter/filter_result.hpp"
#include "filter/speedup_means.hpp"

// The output of `rkb filter`.
namespace robust_kbench {

// Returns a table with a row for each direction of each task, and a column for each filter. A cell
// has the filter's number, and CAUGHT where it caught. The reasons follow.
std::string filter_table(const std::vector<TaskVerdict>& verdicts);

// Returns, for each filter, what it means and what it measured where.
std::string filter_explanation(const TaskVerdict& verdict, int seeds);

std::string speedup_means_text(const SpeedupMeans& means);

}  // namespace robust_kbench
