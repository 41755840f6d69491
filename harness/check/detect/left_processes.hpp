#pragma once

#include <optional>

#include "broker/worker_process.hpp"
#include "core/judgement.hpp"

namespace robust_kbench {

// Looks for processes that the kernel has started and that are still alive after it has returned.
// Cannot see threads of the worker itself, which settle() waits for.
std::optional<Judgement> left_processes(WorkerProcess& worker);

}  // namespace robust_kbench
