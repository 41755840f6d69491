#include "cli/kernel_selection.hpp"

#include <algorithm>
#include <filesystem>

#include "command/common_options.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace fs = std::filesystem;

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

std::vector<KernelSource> selected_kernels(const Suite& suite, const KernelSelection& selection) {
  const std::string& kernel = selection.kernel;
  // A kernel of the build may have a dot in its name, too.
  const bool of_build =
      fs::path(kernel).extension().empty() ||
      std::ranges::any_of(suite.manifest().kernels,
                          [&](const KernelSource& known) { return known.name == kernel; });
  if (of_build) {
    if (selection.source != SourceOptions{}) {
      throw UserError("--headers, --include and their like are for source files: " +
                      (kernel.empty() ? std::string("no --kernel names one")
                                      : "'" + kernel + "' is of the build") +
                      ", and a kernel of the build is compiled as the build says");
    }
    std::vector<KernelSource> found = suite.kernels(selection.task, selection.direction, kernel);
    std::erase_if(found, [&](const KernelSource& other) {
      return !selection.device.empty() && other.device != parse_device(selection.device);
    });
    if (found.empty()) {
      throw UserError("no such kernel is for --device " + selection.device + "; leave it out");
    }
    return found;
  }
  if (selection.task.empty()) {
    throw UserError("--kernel " + kernel + " is a file: give --task, too");
  }
  KernelSource loose = suite.loose_kernel(
      selection.task, selection.direction.empty() ? "forward" : selection.direction,
      selection.device, kernel);
  selection.source.apply_to(loose);
  return {loose};
}

}  // namespace robust_kbench
