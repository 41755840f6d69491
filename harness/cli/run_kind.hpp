#pragma once

#include <string>

#include "archive/archive.hpp"

namespace robust_kbench {

// What made a run of an archive.
enum class RunKind { evolution, translation, verification, verifier_tuning, judgement };

RunKind kind_of(const RunRow& run);

// Fills what was not given on the command line from the run that goes on, which has `value`. Throws
// UserError where another value was given.
void take_from(const RunRow& run, const char* option, const std::string& value, std::string& given);

// The command that goes on with a run, for messages: "go on with it by: rkb translate ...". `task`:
// how a person has named the run's task; empty: by its name.
std::string how_to_go_on(const RunRow& run, const std::string& task = "");

}  // namespace robust_kbench
