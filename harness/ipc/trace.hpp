#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "device/cuda_activities.hpp"

namespace robust_kbench {

inline constexpr std::size_t max_traced_activities = 10'000;

// The GPU activities that one call causes.
struct Trace {
  std::string missing;                   // why there is no trace; empty if there is one
  std::vector<CudaActivity> activities;  // ordered by start
};

}  // namespace robust_kbench
