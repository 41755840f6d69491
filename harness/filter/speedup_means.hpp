#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "filter/filter_result.hpp"

namespace robust_kbench {

// The mean of a table of speed-ups with and without the tasks that can be gamed.
struct SpeedupMeans {
  std::size_t tasks = 0;
  double mean = 0;  // geometric
  std::size_t tasks_not_caught = 0;
  std::optional<double> mean_not_caught = {};  // nullopt where all are caught
};

// Speed-ups by task. The text is CSV of two columns, with or without the header "task,speedup". Or
// it is JSON: an object of numbers, or a list of objects with "task" and "speedup". Throws
// UserError for any other text, and for a speed-up that is not above 0.
std::map<std::string, double> read_speedups(const std::string& text);

// Throws UserError where a task of the table has no verdict.
SpeedupMeans speedup_means(const std::map<std::string, double>& speedups,
                           const std::vector<TaskVerdict>& verdicts);

}  // namespace robust_kbench
