#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/verifier_run.hpp"
#include "filter/filter_result.hpp"

// The filter `judgement`: a model's opinion of each task, in a run of an archive.
namespace robust_kbench {

// Whether options name a model, a cap, a person or an older run, so that tasks are judged.
bool asks_for_judgement(const VerifierRunOptions& options);

// What identifies the tasks of a run, for VerifierRun().
nlohmann::json judged_tasks(const Manifest& manifest, const std::vector<const Task*>& tasks);

struct Judgements {
  std::map<std::string, FilterResult> by_task;  // skipped with its reason where there is no answer
  std::string failure;  // why some were not answered that can be asked again; empty: all were
};

// Asks about all tasks, several at a time. Throws Cancelled after an interrupt.
Judgements judge_tasks(VerifierRun& run, const std::vector<const Task*>& tasks);

// Prints what that would cost at most, and asks nothing. Returns the command's exit code.
int plan_judgements(const Program& program, const VerifierRunOptions& options, Device device,
                    const std::vector<const Task*>& tasks);

}  // namespace robust_kbench
