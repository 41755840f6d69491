#pragma once

#include <vector>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A page of records (report/page_blocks.hpp): verdicts, speed-ups, failures and how to replay them.
// It also has each kernel's samples, what its code asks for, machines, and how figures were judged.
nlohmann::json record_page(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
