#pragma once

#include <string>

#include "core/device.hpp"
#include "runs/backends.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// What all evaluations of one run have in common, and what of it is over. The coordinator writes it
// as a file of the run directory, and pilots read it.
struct EvaluationSession {
  BackendRequest request;
  Device device = Device::cpu;
  std::string source_root;        // of the coordinator's build
  bool requires_sandbox = false;  // since kernels come from models, programs or people
  bool search_ended = false;
  bool first_races_ended = false;
  bool ended = false;
};

void to_json(nlohmann::json& json, const EvaluationSession& session);
void from_json(const nlohmann::json& json, EvaluationSession& session);

}  // namespace robust_kbench
