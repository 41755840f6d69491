#pragma once

#include <functional>
#include <string>
#include <vector>

#include "evolve/prompt_fence.hpp"
#include "evolve/proposer.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The text that a program or a person is asked with.
using PromptOf = std::function<std::string(const ProposalRequest& request)>;

// What is to be computed, on which configs, the form of the answer, the fastest right kernel so far
// and the others. Sources and names of kernels stand in fences. Markdown.
std::string prompt_for(const Task& task, const Entry& entry, Device device,
                       const std::vector<std::string>& configs, const PromptFence& fence,
                       const ProposalRequest& request);

}  // namespace robust_kbench
