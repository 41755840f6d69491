#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "archive/archive.hpp"
#include "core/record.hpp"

namespace robust_kbench {

// Comparable times of a run's kernels. Each is the geometric mean of a subject's median times over
// all configs of the run, in microseconds, or nullopt.
//
// The configs are those on which the seeds have raced. If there was no such race, they are those on
// which any right kernel was timed.
class RunTimes {
 public:
  // Reads the records of the proposals, all of which belong to one run.
  RunTimes(const Archive& archive, const std::vector<ProposalRow>& proposals);

  // `record` is that of the proposal. nullopt where it is not right, or was not timed on all
  // configs.
  [[nodiscard]] std::optional<double> kernel_us(const ProposalRow& proposal,
                                                const std::optional<KernelRecord>& record) const;
  // The time of a baseline, or of a seed by its name, in the race of the seeds.
  [[nodiscard]] std::optional<double> first_race_us(const std::string& subject) const;

 private:
  using Times = std::map<std::string, double>;  // by config

  [[nodiscard]] std::optional<double> mean_us(const Times& times) const;

  std::map<std::string, Times> m_first_race;  // by subject, a kernel by the name of its seed
  std::set<std::string> m_configs;
};

// Whether the kernel passed all of its tests. A record can also pass where nothing ran: that of a
// duplicate, or of a kernel that votes rejected.
bool is_right(const ProposalRow& proposal, const std::optional<KernelRecord>& record);

}  // namespace robust_kbench
