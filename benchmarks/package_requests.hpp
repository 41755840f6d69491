#pragma once

#include <vector>

#include "core/manifest.hpp"
#include "tensor/task_registry.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The requests of make_compile_packages.py for torch.compile packages of every config of a set, for
// every linked task and direction. A request names the task's reference.py and the package's path.
// It lists the tensors of a call in the order of a baseline's arguments, and describes a kernel's
// arguments in terms of these tensors.
nlohmann::json package_requests(const Manifest& manifest, const TaskRegistry& tasks,
                                ConfigSet configs, Device device);

}  // namespace robust_kbench
