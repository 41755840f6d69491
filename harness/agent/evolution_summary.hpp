#pragma once

#include <string>

#include "archive/rows.hpp"

namespace robust_kbench {

// Returns the whole summary of an evolution that has ended, for a person. `archive` is
// archive_words() for its commands. `given_task` is how a person has named the run's task, or empty
// for its name. What models and programs wrote is escaped.
std::string evolution_summary(const RunRow& run, const std::string& archive = "",
                              const std::string& given_task = "");

}  // namespace robust_kbench
