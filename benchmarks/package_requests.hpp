#pragma once

#include <vector>

#include "core/manifest.hpp"
#include "tensor/task_registry.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What make_compile_packages.py needs to know to make a torch.compile package of every config of a
// set, for every task and direction: the task's reference.py, the tensors of a call in the order
// that a baseline is called with, a kernel's arguments in terms of them, and where the package
// belongs.
nlohmann::json package_requests(const Manifest& manifest, const TaskRegistry& tasks,
                                ConfigSet configs, Device device);

}  // namespace robust_kbench
