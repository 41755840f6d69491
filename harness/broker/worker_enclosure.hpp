#pragma once

#include <optional>
#include <string>

#include "broker/worker_process.hpp"
#include "core/manifest.hpp"
#include "core/sandbox_means.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// The sandbox of a worker whose files lie in `directory`. It sees its program, torch as this
// process has loaded it, and what the options name. Nothing where the options name no sandbox.
std::optional<Enclosure> worker_enclosure(const WorkerOptions& options,
                                          const std::string& directory);

// What encloses the workers of a toolchain that load kernels, by themselves or below the tool of
// this path. On a GPU it is tried, once for each.
SandboxMeans worker_means(const Toolchain& toolchain, bool gpu, const std::string& tool = {});

// The policy of what is enclosed as a compiler is and may use a GPU. It shows the system and what
// the driver needs. `worker` is the path of rkb_worker, which tries the GPU.
SandboxPolicy compiler_policy(const std::string& worker, bool gpu);

}  // namespace robust_kbench
