#pragma once

#include <vector>

#include "core/case.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// The cases on which kernels are usually tested: listed configs, drawn ones, probes. Typical
// content comes before probes and small before large, since the first cases reject nearly all
// substitutes.
std::vector<Case> usual_cases(const FilterSubject& subject);

}  // namespace robust_kbench
