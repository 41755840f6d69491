#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// The path that the torch.compile package of a config has, whether it is there or not.
//
// For a task of the build: <compile_packages>/<cpu or cuda>/<task>.<direction>/<config>.pt2.
// For an imported task: <its directory>/compiled/<made for>/<direction>/<parameters>.pt2. The
// directory is named by the content of the task. The file is named by a hash of all parameters,
// since configs of one name may differ. A package is made for this torch and one device. That is
// this CPU with its number of threads, or the architecture of GPU 0, whose driver is asked.
std::string package_path(const Manifest& manifest, const Task& task, Direction direction,
                         Device device, const Config& config);

// The same where it has been made: by benchmarks/make_compile_packages.py, or for an imported task
// by `rkb compile-baseline`.
std::optional<std::string> compile_package(const Manifest& manifest, const Task& task,
                                           Direction direction, Device device,
                                           const Config& config);

// Files and directories that the worker of a task's baselines reads.
std::vector<std::string> package_places(const Manifest& manifest, const Task& task);

// Threads that a package made here uses: one per CPU that this process may use, as a subject that
// is timed has them.
int threads_of_packages();

}  // namespace robust_kbench
