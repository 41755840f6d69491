#pragma once

#include <string>
#include <vector>

#include "runs/model_use.hpp"
#include "runs/planned_questions.hpp"
#include "runs/start_kernels.hpp"

namespace robust_kbench {

// Returns the question for the first proposal of an evolution that begins with these kernels, for
// people. The system's message comes first, then the user's. Nothing has been measured yet, so
// there are no times, advice or history. Starts a helper. Throws UserError where that cannot be
// done.
std::string first_prompt(const ModelUse& use, const StartKernels& kernels);

// Returns how long its prompts are. Starts the helper that knows prices, too.
PromptSizes prompt_sizes(ModelUse& use, const StartKernels& kernels);

// Returns the sizes of the longest prompts that are about these entries, and the mean size of these
// sources, which are reviewed.
PromptSizes review_sizes(const Suite& suite, ModelUse& use, const EvolutionSettings& settings,
                         Device device, const std::vector<Entry>& entries,
                         const std::vector<std::string>& sources);

}  // namespace robust_kbench
