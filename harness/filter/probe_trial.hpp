#pragma once

#include <vector>

#include "filter/filter_subject.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The probes that the subject's direction cannot have, since torch's own result in the task's dtype
// fails them, each with its reason. They are tried on configs of the tests where a reference is
// quick. A probe without such a config is tried once, on the cheapest. Probes that the task leaves
// out already are not tried.
std::vector<InapplicableProbe> failed_probes(const FilterSubject& subject);

}  // namespace robust_kbench
