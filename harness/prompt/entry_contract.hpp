#pragma once

#include <string>

#include "core/device.hpp"
#include "prompt/prompt_subject.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The member `contract` of the prompts' data (docs/prompts.md). Throws UserError when the task has
// no backward and the subject is one.
nlohmann::json contract_data(const PromptSubject& subject);

// The language of a kernel in prompts and answers: "cuda" or "cpp".
std::string language_of(Device device);

}  // namespace robust_kbench
