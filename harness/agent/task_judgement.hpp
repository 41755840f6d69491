#pragma once

#include <map>
#include <string>
#include <vector>

#include "agent/agent_program.hpp"
#include "agent/verifier_options.hpp"
#include "filter/filter_result.hpp"
#include "runs/judgement_run.hpp"

// The filter `judgement`: a model's opinion of each task, in a run of an archive.
namespace robust_kbench {

// Returns whether options name a model, a cap, a person or an older run, so that tasks are judged.
bool asks_for_judgement(const VerifierRunOptions& options);

struct Judgements {
  std::map<std::string, FilterResult> by_task;  // skipped with its reason where there is no answer
  std::string failure;  // why some were not answered that can be asked again; empty: all were
};

// Asks a model about all tasks. Throws Cancelled after an interrupt.
Judgements judgements_of(Run& run, const std::vector<const Task*>& tasks);

// Prints what these questions are likely to cost, and asks nothing. Returns the command's exit
// code.
int plan_judgements(const AgentProgram& program, const VerifierRunOptions& options, Device device,
                    const std::vector<const Task*>& tasks);

}  // namespace robust_kbench
