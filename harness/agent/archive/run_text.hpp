#pragma once

#include <string>

#include "archive/archive.hpp"

namespace robust_kbench {

// Describes a run to a person: how it ended, a table of its proposals, and how many were refused
// for which reason.
std::string run_text(const Archive& archive, const std::string& run);

}  // namespace robust_kbench
