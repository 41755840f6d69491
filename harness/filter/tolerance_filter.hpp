#pragma once

#include "filter/filter_result.hpp"
#include "filter/filter_subject.hpp"

namespace robust_kbench {

// Compares the limits of kernels' errors with the signal of an output. The signal is the lesser of
// two deviations of the reference: over elements, and over seeds of one element. A limit near the
// signal lets an answer for other inputs pass. Each output is measured on each config, and caught
// where no config has a tighter limit.
FilterResult tolerance_filter(const FilterSubject& subject);

}  // namespace robust_kbench
