#pragma once

#include <string>

#include "archive/archive.hpp"

namespace robust_kbench {

// What made a run of an archive.
enum class RunKind { evolution, translation, verification, verifier_tuning };

RunKind kind_of(const RunRow& run);

// The command that goes on with a run, for messages: "go on with it by: rkb translate ...".
std::string how_to_go_on(const RunRow& run);

}  // namespace robust_kbench
