#pragma once

#include <string>

#include "broker/worker_files.hpp"
#include "broker/worker_process.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// How a worker is started: channel as fd 3, arena as fd 4, an environment that says nothing about
// what is being asked of the kernel, limits. `marker` is one more environment entry.
SpawnOptions launch_options(const WorkerOptions& options, const WorkerFiles& files,
                            const std::string& marker, int channel_fd, const Arena& arena);

}  // namespace robust_kbench
