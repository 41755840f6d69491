#pragma once

#include "prompt/candidate.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The candidate for an evaluation in another process.
nlohmann::json candidate_json(const Candidate& candidate);
// Reads candidate_json(). Throws nlohmann::json::exception.
Candidate candidate_from(const nlohmann::json& json);

}  // namespace robust_kbench
