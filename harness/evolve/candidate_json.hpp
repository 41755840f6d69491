#pragma once

#include "prompt/candidate.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What an evaluation of a candidate needs to know, for another process.
nlohmann::json candidate_json(const Candidate& candidate);
// Throws nlohmann::json::exception.
Candidate candidate_from(const nlohmann::json& json);

}  // namespace robust_kbench
