#pragma once

#include <stop_token>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// Evaluates one source file as `rkb evaluate` does on this machine, by that program of this build.
// `command` is an object: `arguments`, the words of the command without the file; `path` and `text`
// of the file; `directory`, in which it was given. Returns the file's record (docs/records.md), in
// which that path stands for the file. Throws Cancelled, and HarnessError where there is no record.
nlohmann::json evaluate_file(const nlohmann::json& command, const std::stop_token& stop);

}  // namespace robust_kbench
