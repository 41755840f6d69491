#pragma once

#include <string>
#include <vector>

#include "core/manifest.hpp"
#include "evaluate/scope.hpp"
#include "profile/tools.hpp"
#include <robust_kbench/task_fwd.hpp>

// Requirements of kernels on the machine that evaluates them.
namespace robust_kbench {

// The reason why nothing of this kernel can run on this machine, or empty where it can.
std::string skip_reason(const KernelSource& kernel, const Toolchain& toolchain);
// The reason why its sanitizers cannot run, or empty. `compute_sanitizer` is find_tool()'s result.
std::string sanitize_skip_reason(const KernelSource& kernel, const Toolchain& toolchain,
                                 const Tool& compute_sanitizer);

// A text that names the baselines without packages (bench/packages.hpp), and how to make them.
// Empty where none are missing. For an imported task on a GPU it calls the driver, which a process
// that forks must not do.
std::string missing_packages(const Manifest& manifest, const Task& task, const KernelSource& kernel,
                             const Scope& scope, const std::vector<std::string>& baselines);

// Loads torch's CUDA libraries where these kernels are for the CPU and for CUDA. Call it before one
// process tests or times them all. The first convolution or backward on the CPU fixes for good
// whether torch has CUDA. Throws HarnessError where this torch cannot use the GPU of this machine.
void load_torch_for(const Manifest& manifest, const std::vector<KernelSource>& kernels);

// What is not built of replayer and recorder, such as on other processors than x86-64, and how to
// build it. Else empty.
std::string missing_for_replay(const Toolchain& toolchain);

// The path of rkb_replayer. Throws UserError where something is missing for a replay.
std::string replayer_of(const Toolchain& toolchain);

}  // namespace robust_kbench
