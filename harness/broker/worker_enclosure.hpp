#pragma once

#include <optional>
#include <string>

#include "broker/worker_process.hpp"
#include "core/manifest.hpp"
#include "core/sandbox_means.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// The sandbox of a worker whose files are in `directory`. The worker sees its program, torch as
// this process has loaded it, and the options' paths. Nothing if the options name no sandbox.
std::optional<Enclosure> worker_enclosure(const WorkerOptions& options,
                                          const std::string& directory);

// The means that confine the workers of a toolchain that load kernels, started alone or by the tool
// at this path. With a GPU they are found by a trial, once for each combination.
SandboxMeans worker_means(const Toolchain& toolchain, bool gpu, const std::string& tool = {});

// The policy of a process that is confined like a compiler and may use a GPU. It shows the system,
// and the files of the GPU's driver. `worker` is the path of rkb_worker, which tries the GPU.
SandboxPolicy compiler_policy(const std::string& worker, bool gpu);

}  // namespace robust_kbench
