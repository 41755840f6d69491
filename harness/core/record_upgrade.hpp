#pragma once

#include <vector>

#include "core/record.hpp"

// Records of former schemas as those of this one.
namespace robust_kbench {

// Of a file of schema 2: timings, speed-ups and estimates were lists beside each other, and the
// means of the speed-ups were not in the record.
std::vector<KernelRecord> upgraded_kernels(const nlohmann::json& file);

// Of a file of profiles, which had a schema 1 of their own.
std::vector<KernelRecord> upgraded_profiles(const nlohmann::json& file);

}  // namespace robust_kbench
