#pragma once

#include <vector>

#include "core/record.hpp"

// Converts records of former schemas to the present one.
namespace robust_kbench {

// Reads a file of schema 2. There timings, speed-ups and estimates were separate lists, and the
// mean speed-ups were not in the record.
std::vector<KernelRecord> upgraded_kernels(const nlohmann::json& file);

// Reads a file of profiles, which had a schema 1 of their own.
std::vector<KernelRecord> upgraded_profiles(const nlohmann::json& file);

}  // namespace robust_kbench
