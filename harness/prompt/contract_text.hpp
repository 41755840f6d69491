#pragma once

#include <string>

#include "prompt/prompt_subject.hpp"

namespace robust_kbench {

// What a kernel of the entry takes and returns, its reference, and the configs that are timed, as
// Markdown for programs and people. It says what contract_data() says to models. Throws UserError
// as that does.
std::string contract_text(const PromptSubject& subject);

}  // namespace robust_kbench
