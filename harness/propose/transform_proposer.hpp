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
  explicit TransformProposer(bool cuda)
      : Proposer({.name = "transform", .works_without_profile = true}), m_cuda(cuda) {}

  std::optional<Job> begin(const ProposalRequest& request) override;
  void learn(const ProposalResult& result) override;
  [[nodiscard]] std::unique_ptr<Proposer> copy() const override {
    return std::make_unique<TransformProposer>(*this);
  }

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
