#pragma once

#include <string>
#include <vector>

#include "cli/evaluate_options.hpp"
#include "core/manifest.hpp"
#include "core/record.hpp"
#include "process/interrupt.hpp"
#include "report/reporter.hpp"

namespace robust_kbench {

// Evaluates source files on pilots, each as this command would do it there (docs/cluster.md).
// `manifest` is the path of this build's.
// Records are in the order of the kernels. After an interrupt the rest of them are cancelled.
// Throws UserError where the run directory cannot be used.
std::vector<KernelRecord> evaluate_on_pilots(const std::string& manifest,
                                             const std::vector<KernelSource>& kernels,
                                             const EvaluateCommandOptions& options,
                                             Reporters& reporters, const InterruptStop& interrupt);

// The words of a command that pilots get: without its name, the files, and options that are about
// this machine or about results. `files` are words of it.
std::vector<std::string> words_for_pilots(std::vector<std::string> words,
                                          const std::vector<std::string>& files);

}  // namespace robust_kbench
