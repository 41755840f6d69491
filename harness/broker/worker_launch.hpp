#pragma once

#include <string>

#include "broker/worker_files.hpp"
#include "broker/worker_process.hpp"
#include "process/spawn.hpp"

namespace robust_kbench {

// The options that start a worker: with the channel as fd 3, the arena as fd 4, and resource
// limits. Its environment reveals nothing about the requests to come. `marker` is one more
// environment entry.
SpawnOptions launch_options(const WorkerOptions& options, const WorkerFiles& files,
                            const std::string& marker, int channel_fd, const Arena& arena);

}  // namespace robust_kbench
