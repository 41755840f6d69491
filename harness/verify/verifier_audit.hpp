#pragma once

#include <map>
#include <string>

#include "core/record.hpp"
#include "verify/confusion_matrix.hpp"
#include "verify/votes.hpp"

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// The worth of verifiers' votes. Each vote is held against the findings of compiler, sanitizer and
// tests on the same kernel in that verifier's class of errors.
class VerifierAudit {
 public:
  // Adds the votes on one kernel. `hardware_seconds` is the time of the kernel's evaluation.
  void add(const Votes& votes, const KernelRecord& record, double hardware_seconds);

  [[nodiscard]] bool empty() const { return m_rows.empty(); }
  // The matrix over the kernels whose truth is known in the verifier's class.
  [[nodiscard]] ConfusionMatrix matrix(Verifier verifier) const;

  // An object for each verifier. It has the matrix, `hardware_seconds`, `saved_seconds`,
  // `right_kernels` and `right_kernels_lost`.
  [[nodiscard]] nlohmann::json json() const;
  // The audit in words for people; empty without any vote.
  [[nodiscard]] std::string text() const;

 private:
  // Alarms save the time of all kernels that they keep from the hardware, right ones, too.
  struct Row {
    ConfusionMatrix matrix;
    double seconds = 0;
    double saved_seconds = 0;
    int right = 0;       // kernels that passed in everything
    int right_lost = 0;  // of these, with an alarm
  };

  std::map<Verifier, Row> m_rows;
};

}  // namespace robust_kbench
