#pragma once

#include <functional>
#include <string>

#include "archive/archive.hpp"
#include "core/manifest.hpp"
#include <robust_kbench/task_fwd.hpp>

namespace robust_kbench {

// Evaluates a run's winner anew on this machine. It is tested on all cases first. Then it is timed
// against eager mode and torch.compile, on each config that counted in the search and on others.
// These are near the former, and on a GPU also those of `multi`. The result is kept in the run's
// summary (docs/archive.md), under the name of this CPU or GPU. Throws UserError where the run has
// no winner, and where that is rejected now or cannot run here.
void generalise(const Manifest& manifest, const Task& task, Archive& archive,
                const std::string& run,
                const std::function<void(const std::string& text, double share)>& on_progress);

}  // namespace robust_kbench
