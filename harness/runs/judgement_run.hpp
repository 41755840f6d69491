#pragma once

#include <vector>

#include "core/manifest.hpp"
#include "prompt/task_opinion.hpp"
#include "runs/run.hpp"

// A run in which a model judges tasks, as they are written.
namespace robust_kbench {

// Returns what identifies the tasks, for Run::require_inputs().
nlohmann::json judged_tasks(const Manifest& manifest, const std::vector<const Task*>& tasks);

// Returns the opinion that the verifiers' model has of each task, in their order. Several are asked
// for at a time. Throws Cancelled after an interrupt.
std::vector<ParsedOpinion> judge_tasks(Run& run, const std::vector<const Task*>& tasks);

}  // namespace robust_kbench
