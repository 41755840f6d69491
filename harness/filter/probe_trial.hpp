#pragma once

#include <vector>

#include "filter/filter_subject.hpp"
#include <robust_kbench/task.hpp>

namespace robust_kbench {

// The probes that the subject's direction cannot have, as torch's own result in the task's dtype
// fails them, each with its reason. They are tried on configs that kernels may be asked about,
// where a reference is quick. One that has none of these is tried once, on the least. What the task
// leaves out already is not tried.
std::vector<InapplicableProbe> failed_probes(const FilterSubject& subject);

}  // namespace robust_kbench
