#pragma once

#include <vector>

#include "report/history.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A page of histories (report/page_blocks.hpp): the steps of all kernels, and each kernel's
// speed-up and time over the files.
nlohmann::json history_page(const std::vector<KernelHistory>& histories, std::size_t files);

}  // namespace robust_kbench
