#pragma once

#include <map>
#include <string>
#include <vector>

#include "propose/proposer.hpp"
#include "transform/transforms.hpp"

namespace robust_kbench {

// Proposes the single edits that the rules of transform/ find in the parent. Rules that were
// refused least often come first. Among these the parent's profile decides (profile_remarks.hpp),
// then the order of the rules.
class TransformProposer : public Proposer {
 public:
  explicit TransformProposer(bool cuda) : m_cuda(cuda) {}

  [[nodiscard]] std::string name() const override { return "transform"; }
  [[nodiscard]] bool works_without_profile() const override { return true; }
  std::optional<Proposal> propose(const ProposalRequest& request) override;
  [[nodiscard]] std::optional<std::string> foresee(const ProposalRequest& request,
                                                   const std::string& refused) const override;
  void learn(const ProposalResult& result) override;

 private:
  void look_at(const Candidate& parent);

  const bool m_cuda;
  std::string m_parent;                           // the hash of the source whose edits these are
  bool m_knows_profile = false;                   // its own, when they were found
  std::vector<Transform> m_edits;                 // in the order of the advice that they follow
  std::map<std::string, std::string> m_proposed;  // sources with their rules
  std::map<std::string, int> m_refused;           // by rule
};

}  // namespace robust_kbench
