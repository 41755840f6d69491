#pragma once

#include <functional>
#include <string>

#include "prompt/prompt_fence.hpp"
#include "prompt/proposal_request.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The text that a program or a person is asked with.
using PromptOf = std::function<std::string(const ProposalRequest& request)>;

// What is to be computed, by `contract` (contract_text.hpp), the form of the answer, the fastest
// right kernel so far and the others. Sources and names of kernels stand in fences. Markdown.
std::string prompt_for(const Task& task, const Entry& entry, Device device,
                       const std::string& contract, const PromptFence& fence,
                       const ProposalRequest& request);

}  // namespace robust_kbench
