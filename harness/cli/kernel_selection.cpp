#include "cli/kernel_selection.hpp"

#include "cli/common_options.hpp"

namespace robust_kbench {

void add_selection_options(CommandLine& command, KernelSelection& selection) {
  add_common_option(command, "--task", selection.task, "default: every task");
  add_common_option(command, "--direction", selection.direction,
                    "default: both, and forward of a source file");
  add_common_option(command, "--device", selection.device,
                    "default: both, and of a source file cpu for .cpp, cuda for .cu");
  add_common_option(command, "--kernel", selection.kernel,
                    "or a source file by its path; default: all");
  add_source_options(command, selection.source);
}

}  // namespace robust_kbench
