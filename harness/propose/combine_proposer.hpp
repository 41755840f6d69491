#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "propose/proposer.hpp"

namespace robust_kbench {

// Combines gains that were found side by side. One kernel has become the parent, and another has
// won against a kernel that the parent was made from. Then the other's edit is made in the parent
// as well. A pair is tried once, one after another, and only where both edits leave each other's
// lines alone.
class CombineProposer : public Proposer {
 public:
  CombineProposer()
      : Proposer({.name = "combine", .comes_first = true, .works_without_profile = true}) {}

  std::optional<Job> begin(const ProposalRequest& request) override;
  void learn(const ProposalResult& result) override;

 private:
  std::set<std::pair<std::int64_t, std::int64_t>> m_tried;  // ids of parent and gain
  bool m_is_waiting = false;                                // for the last one's decision
};

}  // namespace robust_kbench
