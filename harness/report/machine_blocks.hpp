#pragma once

#include <vector>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What each kernel's code asks for, with the places; empty where no code asks for anything.
nlohmann::json use_blocks(const std::vector<KernelRecord>& records);

// By which estimator and how firmly each kernel's figures were judged; empty where nothing was
// timed.
nlohmann::json judged_blocks(const std::vector<KernelRecord>& records);

// The machines, one a row, without their names, which a page for others keeps to itself.
nlohmann::json machine_blocks(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
