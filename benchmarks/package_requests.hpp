#pragma once

#include <vector>

#include "core/manifest.hpp"
#include "tensor/task_registry.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Says what make_compile_packages.py needs to make a torch.compile package of every config of a
// set, for every linked task and direction. A request names the task's reference.py and where the
// package belongs. It lists the tensors of a call in the order that a baseline is called with. It
// gives a kernel's arguments in terms of these tensors.
nlohmann::json package_requests(const Manifest& manifest, const TaskRegistry& tasks,
                                ConfigSet configs, Device device);

}  // namespace robust_kbench
