#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "evolve/proposer.hpp"
#include "source/transforms.hpp"

namespace robust_kbench {

// What compilers and profilers say of a kernel's lines.
using RemarksOf = std::function<std::vector<Remark>(const Candidate& candidate)>;

// Proposes the single edits that the rules of source/ find in the parent. Rules that were refused
// least often come first, then in the order of the rules.
class TransformProposer : public Proposer {
 public:
  TransformProposer(bool cuda, RemarksOf remarks_of);

  [[nodiscard]] std::string name() const override { return "transform"; }
  std::optional<Proposal> propose(const ProposalRequest& request) override;
  void learn(const ProposalResult& result) override;

 private:
  void look_at(const Candidate& parent);

  const bool m_cuda;
  const RemarksOf m_remarks_of;
  std::string m_parent;  // the hash of the source whose edits these are
  std::vector<Transform> m_edits;
  std::map<std::string, std::string> m_proposed;  // sources with their rules
  std::map<std::string, int> m_refused;           // by rule
};

}  // namespace robust_kbench
