#include "check/detect/detectors.hpp"

#include <array>

#include "check/detect/batch_consistency.hpp"
#include "check/detect/bulk_guard_check.hpp"
#include "check/detect/damaged_log.hpp"
#include "check/detect/input_mutation.hpp"
#include "check/detect/late_write.hpp"
#include "check/detect/out_of_bounds_write.hpp"
#include "check/detect/unusable_output.hpp"
#include "check/detect/unwritten_output.hpp"

namespace robust_kbench {
namespace {

bool always(const BatchEvidence&) {
  return true;
}

bool guards_may_be_broken(const BatchEvidence& evidence) {
  return !evidence.image_of_inputs.defined() || !guards_are_intact(evidence);
}

// The outputs of a single call are compared whole, so further checks are for batches of several.
bool has_calls_beside_the_kept_one(const BatchEvidence& evidence) {
  return evidence.kept && evidence.calls.size() > 1;
}

struct Detector {
  bool (*applies)(const BatchEvidence&);
  std::optional<Judgement> (*detect)(const BatchEvidence&);
};

constexpr std::array<Detector, 6> detectors{{
    {always, damaged_log},
    {guards_may_be_broken,
     [](const BatchEvidence& evidence) {
       const auto finding = input_mutation(evidence);
       return finding ? finding : out_of_bounds_write(evidence);
     }},
    {always, unusable_output},
    {has_calls_beside_the_kept_one, batch_consistency},
    {has_calls_beside_the_kept_one, unwritten_output},
    {always, late_write},
}};

}  // namespace

std::optional<Judgement> first_finding(const BatchEvidence& evidence) {
  for (const Detector& detector : detectors) {
    if (!detector.applies(evidence)) continue;
    if (auto finding = detector.detect(evidence)) return finding;
  }
  return std::nullopt;
}

}  // namespace robust_kbench
