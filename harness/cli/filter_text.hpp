#pragma once

#include <string>
#include <vector>

#include "filter/filter_result.hpp"
#include "filter/speedup_means.hpp"

// What `rkb filter` prints.
namespace robust_kbench {

// A row for each direction of each task, a column for each filter: its number, and CAUGHT where it
// is. Below are the reasons of the caught.
std::string filter_table(const std::vector<TaskVerdict>& verdicts);

// For each filter what it means, and what it measured where.
std::string filter_explanation(const TaskVerdict& verdict, int seeds);

std::string speedup_means_text(const SpeedupMeans& means);

}  // namespace robust_kbench
