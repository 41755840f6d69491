#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The path of a config's torch.compile package, which need not exist.
//
// For a task of the build: <compile_packages>/<cpu or cuda>/<task>.<direction>/<config>.pt2.
// For an imported task: <its directory>/compiled/<made for>/<direction>/<parameters>.pt2. The
// directory is named by the content of the task. The file is named by a hash of all parameters,
// since configs of one name may differ. A package is made for this torch and one device. That is
// this CPU with its number of threads, or the architecture of GPU 0, for which the driver is asked.
std::string package_path(const Manifest& manifest, const Task& task, Direction direction,
                         Device device, const Config& config);

// The path if the package exists. benchmarks/make_compile_packages.py makes it, or `rkb
// compile-baseline` for an imported task.
std::optional<std::string> compile_package(const Manifest& manifest, const Task& task,
                                           Direction direction, Device device,
                                           const Config& config);

// Files and directories that the worker of a task's baselines reads.
std::vector<std::string> package_places(const Manifest& manifest, const Task& task);

// The number of threads of packages that are made here: one for each CPU that this process may use,
// as for timed subjects.
int threads_of_packages();

}  // namespace robust_kbench
