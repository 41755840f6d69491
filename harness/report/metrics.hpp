#pragma once

#include <string>
#include <vector>

#include "core/record.hpp"

namespace robust_kbench {

// A figure of a kernel, as a property of its test suite in JUnit.
struct Metric {
  std::string name;  // "kernel_us", "speedup_over_eager", "roofline_percent"
  std::string value;
};

// What a kernel's code asks for, and its figures. These are geometric means over its configs,
// speed-ups with their intervals, and the time of each config.
std::vector<Metric> metrics_of(const KernelRecord& record);

}  // namespace robust_kbench
