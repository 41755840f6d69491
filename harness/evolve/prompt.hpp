#pragma once

#include <functional>
#include <string>

#include "evolve/proposer.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The text that a program or a person is asked with.
using PromptOf = std::function<std::string(const ProposalRequest& request)>;

// What is to be computed, on which configs, the fastest right kernel so far and the others, and the
// form of the answer. Markdown.
std::string prompt_for(const Task& task, const Entry& entry, Device device,
                       const std::vector<std::string>& configs, const ProposalRequest& request);

}  // namespace robust_kbench
