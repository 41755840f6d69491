#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/case.hpp"
#include "filter/filter_subject.hpp"
#include "filter/stand_in_trial.hpp"

namespace robust_kbench {

// How near the error of torch's own result in the task's dtype comes to the limits of one output.
struct OutputPrecision {
  std::string output;
  // Root mean squares relative to the output, from the config and content where the error is
  // nearest to the limit. nullopt: no config has enough elements for them, or the output's own
  // tolerance holds.
  std::optional<double> error = {};
  std::optional<double> limit = {};
  double share = 0;  // the greatest error of an element, divided by its limit
};

// Findings about precision for one direction of a task.
struct PrecisionClaims {
  std::size_t cases = 0;
  std::optional<std::string> failed_on = {};  // the case that torch's own result fails
  std::string reason = {};                    // of that failure
  std::vector<OutputPrecision> outputs = {};  // floating ones, by torch's own result
  std::vector<StandInTrial> trials = {};      // of kernels that should not pass
};

// Judges torch's own result and each of `others` on the cases, as kernels are judged.
PrecisionClaims precision_claims(const FilterSubject& subject, const std::vector<Case>& cases,
                                 std::vector<StandIn> others);

}  // namespace robust_kbench
