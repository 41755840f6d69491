#pragma once

#include <vector>

#include "archive/archive.hpp"
#include "evolve/sample.hpp"
#include "evolve/tuning_report.hpp"
#include "prompt/failure_report.hpp"
#include "verify/verifier_audit.hpp"

namespace robust_kbench {

// The memory of a run: the strategies that it has tried, and its figures about tunables and
// verifiers.
class RunMemory {
 public:
  // The archive outlives this object.
  explicit RunMemory(const Archive& archive) : m_archive(archive) {}

  // Adds a decided sample, and tells its proposer the outcome.
  void add(const Sample& sample);
  // Notes for proposals to come that the confirmation has refused this one.
  void withdraw(const ProposalRow& row);

  [[nodiscard]] const std::vector<TriedStrategy>& tried() const { return m_tried; }
  [[nodiscard]] const std::vector<TimedSetting>& settings() const { return m_settings; }
  [[nodiscard]] const VerifierAudit& audit() const { return m_audit; }

 private:
  void add_setting(const ProposalRow& row, const std::vector<ConfigTimingRecord>& timings);
  void add_votes(const Sample& sample, const std::optional<KernelRecord>& record);

  const Archive& m_archive;
  std::vector<TriedStrategy> m_tried;
  std::vector<TimedSetting> m_settings;
  VerifierAudit m_audit;
};

}  // namespace robust_kbench
