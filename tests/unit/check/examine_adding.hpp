#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "adding_task.hpp"
#include "check/examiner.hpp"

namespace robust_kbench {

inline ExamineOptions adding_options() {
  ExamineOptions options;
  options.worker.program = ADDING_WORKER;
  options.worker.limits.call_timeout = std::chrono::seconds{60};
  options.nonce = 0x2a;
  options.repeated_calls = 0;
  return options;
}

inline std::vector<CaseRecord> examine_adding(const std::string& script, std::uint64_t seeds = 1,
                                              const ExamineOptions& options = adding_options()) {
  const Task task = adding_task();
  return examine(task, {.task = task.name}, script, adding_cases(seeds), options);
}

}  // namespace robust_kbench
