#include "verify/verifier_audit.hpp"

#include "verify/verifier_truth.hpp"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {

void VerifierAudit::add(const Votes& votes, const KernelRecord& record, double hardware_seconds) {
  for (const auto& [verifier, vote] : votes) {
    Row& row = m_rows[verifier];
    if (const auto truth = truth_of(record, verifier)) {
      row.matrix.add(truth->valid, vote.said_valid());
    }
    const bool alarm = vote.said_valid() == false;
    const bool right = record.judgement.passes();
    row.seconds += hardware_seconds;
    row.right += static_cast<int>(right);
    if (!alarm) continue;
    row.saved_seconds += hardware_seconds;
    row.right_lost += static_cast<int>(right);
  }
}

ConfusionMatrix VerifierAudit::matrix(Verifier verifier) const {
  const auto row = m_rows.find(verifier);
  return row == m_rows.end() ? ConfusionMatrix() : row->second.matrix;
}

nlohmann::json VerifierAudit::json() const {
  nlohmann::json all = nlohmann::json::object();
  for (const auto& [verifier, row] : m_rows) {
    all[std::string(to_string(verifier))] = {{"matrix", to_json_object(row.matrix)},
                                             {"hardware_seconds", row.seconds},
                                             {"saved_seconds", row.saved_seconds},
                                             {"right_kernels", row.right},
                                             {"right_kernels_lost", row.right_lost}};
  }
  return all;
}

std::string VerifierAudit::text() const {
  std::string text;
  for (const auto& [verifier, row] : m_rows) {
    text += fmt::format(
        "verifier {} on {} kernels with a known truth\n{}"
        "  it would have saved {:.1f} of {:.1f} s of evaluations, and lost {} of {} right "
        "kernels\n",
        to_string(verifier), row.matrix.kernels(), to_text(row.matrix), row.saved_seconds,
        row.seconds, row.right_lost, row.right);
  }
  return text;
}

}  // namespace robust_kbench
