#pragma once

#include <robust_kbench/task.hpp>

#include <functional>
#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "core/record.hpp"

// Source to record: compile, test, time. What `rkb evaluate` and evolution share.
namespace robust_kbench {

struct EvaluateOptions {
  std::vector<ConfigSet> config_sets{ConfigSet::small};
  int seeds = default_seeds;
  bool bench = true;
  std::function<void(const std::string&)> on_progress;  // one line of text, no newline
};

// Every case of an entry: configs of the sets x seeds 1..seeds.
std::vector<Case> cases_of(const Manifest& manifest, const Task& task, Direction direction,
                           const std::vector<ConfigSet>& sets, int seeds);

KernelRecord evaluate(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                      const EvaluateOptions& options);

}  // namespace robust_kbench
