#pragma once

#include <map>
#include <string>

#include "core/record.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The purpose of an evaluation of a candidate.
enum class EvaluationKind {
  compile,   // and audit
  screen,    // the listed cases with one seed; then a race that ends as soon as it is lost
  test,      // all cases
  race,      // with new workers and content
  starts,    // a race against all rivals and the baselines
  confirm,   // all cases with a nonce of its own; a race against all rivals and the baselines
  unseen,    // a test, then a race, on configs near the listed ones, which no proposer has seen
  profile,   // what profilers say of it; its verdict is theirs, and decides nothing
  memcheck,  // what that tool says of a CUDA kernel on one small case (memory_check.hpp)
};

std::string to_string(EvaluationKind kind);

// Whether the evaluation decides on a candidate. The end of a run's time cuts these short
// (time_limit.hpp).
bool decides_candidate(EvaluationKind kind);
// Whether the evaluation is a candidate's first race, or comes before that.
bool comes_at_first(EvaluationKind kind);

struct Evaluation {
  KernelRecord record;
  std::string object_hash;                     // after compile
  std::map<std::string, double> seconds = {};  // by kind of evaluation
};

void to_json(nlohmann::json& json, const Evaluation& evaluation);
void from_json(const nlohmann::json& json, Evaluation& evaluation);

// The rival in a race of a child.
inline constexpr const char* parent_rival = "parent";

}  // namespace robust_kbench
