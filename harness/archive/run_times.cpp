#include "archive/run_times.hpp"

#include "archive/stored_record.hpp"
#include "core/statistics.hpp"

namespace robust_kbench {
bool is_right(const ProposalRow& proposal, const std::optional<KernelRecord>& record) {
  return record && record->judgement.verdict == Verdict::pass &&
         proposal.stage >= ProposalStage::tested;
}

RunTimes::RunTimes(const Archive& archive, const std::vector<ProposalRow>& proposals) {
  std::set<std::string> of_all;
  for (const ProposalRow& proposal : proposals) {
    const std::optional<KernelRecord> record = record_of(archive, proposal);
    if (!is_right(proposal, record)) continue;
    const bool is_seed = proposal.outcome == ProposalOutcome::seed;
    for (const ConfigTimingRecord& config : record->timings) {
      of_all.insert(config.config);
      if (!is_seed) continue;
      m_configs.insert(config.config);
      for (const TimingRecord& subject : config.subjects) {
        const bool raced = &subject == &config.subjects.front();
        m_first_race[raced ? proposal.strategy : subject.subject][config.config] =
            subject.median_us;
      }
    }
  }
  if (m_configs.empty()) m_configs = std::move(of_all);
}

std::optional<double> RunTimes::mean_us(const Times& times) const {
  std::vector<double> of_configs;
  for (const std::string& config : m_configs) {
    const auto found = times.find(config);
    if (found == times.end()) return std::nullopt;
    of_configs.push_back(found->second);
  }
  if (of_configs.empty()) return std::nullopt;
  return geometric_mean(of_configs);
}

std::optional<double> RunTimes::kernel_us(const ProposalRow& proposal,
                                          const std::optional<KernelRecord>& record) const {
  if (!is_right(proposal, record)) return std::nullopt;
  if (proposal.outcome == ProposalOutcome::seed) return first_race_us(proposal.strategy);
  Times times;
  for (const ConfigTimingRecord& config : record->timings) {
    if (const TimingRecord* kernel = config.find("kernel")) {
      times[config.config] = kernel->median_us;
    }
  }
  return mean_us(times);
}

std::optional<double> RunTimes::first_race_us(const std::string& subject) const {
  const auto found = m_first_race.find(subject);
  return found == m_first_race.end() ? std::nullopt : mean_us(found->second);
}

}  // namespace robust_kbench
