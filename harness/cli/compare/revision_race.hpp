#pragma once

#include <string>
#include <vector>

#include "cli/kernel_selection.hpp"
#include "command/scope_options.hpp"
#include "evaluate/suite.hpp"
#include "process/interrupt.hpp"
#include "report/comparison.hpp"

namespace robust_kbench {

// The choice of kernels that race against their older versions, and of the cases that they race on.
struct RevisionRaceOptions {
  KernelSelection selection;
  std::string configs;
  std::vector<std::string> own_configs;
  BeyondListedOptions beyond_listed;
  std::string base;
  std::string contender;  // empty: the working tree
};

struct RevisionRace {
  ComparedSide base;
  ComparedSide contender;
  std::size_t unchanged = 0;  // kernels whose sources are the same at both revisions
};

// Compiles and tests kernels as they are at two revisions, each alike, and times both versions in
// one run, in turns. A kernel that is not named races where its sources or their headers differ.
// After an interrupt it ends with what it has. Throws UserError.
RevisionRace race_revisions(const Suite& suite, const RevisionRaceOptions& options,
                            const InterruptStop& interrupt);

}  // namespace robust_kbench
