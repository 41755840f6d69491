#pragma once

#include <filesystem>
#include <string>

#include "archive/archive.hpp"
#include "runs/run.hpp"

namespace robust_kbench {

// Carries out a run that translates a reference. See Translation::run().
RunRow translate(Run& run);

// Translates the reference of an evolution's entry, once, in a run of its own. Returns a source
// file in the evolution's directory, or an empty path where no attempt was right. Throws Cancelled
// after an interrupt, and UserError where the translation has not ended.
std::filesystem::path translated_kernel(Run& evolution, RunListener& listener);

}  // namespace robust_kbench
