#pragma once

#include <string>

#include "prompt/prompt_subject.hpp"

namespace robust_kbench {

// The arguments and results of a kernel of the entry, its reference, and the configs that are
// timed, as Markdown for programs and people. It says what contract_data() says to models. Throws
// UserError as that does.
std::string contract_text(const PromptSubject& subject);

}  // namespace robust_kbench
