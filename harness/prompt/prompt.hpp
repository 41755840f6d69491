#pragma once

#include <functional>
#include <string>

#include "prompt/prompt_fence.hpp"
#include "prompt/proposal_request.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Makes the text with which a program or a person is asked.
using PromptOf = std::function<std::string(const ProposalRequest& request)>;

// The text, as Markdown: the task by `contract` (contract_text.hpp), the form of the answer, the
// fastest right kernel so far and the others. Sources and names of kernels stand in fences.
std::string prompt_for(const Task& task, const Entry& entry, Device device,
                       const std::string& contract, const PromptFence& fence,
                       const ProposalRequest& request);

}  // namespace robust_kbench
