#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The command that replays a case, which the harness appends to its failure: the last line of that
// form. The program and the files are called by their bare names. The words are checked, so that
// nobody copies what a kernel has written. None where there is no such line.
std::optional<std::string> replay_of(const CaseRecord& failed);

// The rejected kernels, each with its reason, the command that replays it, and what it printed.
nlohmann::json failure_blocks(const std::vector<KernelRecord>& records);

}  // namespace robust_kbench
