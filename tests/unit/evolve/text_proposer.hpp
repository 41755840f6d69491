#pragma once

#include <deque>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "propose/proposer.hpp"

namespace robust_kbench {

// Proposes given texts, one after another. The strategy of each is the text itself.
class TextProposer : public Proposer {
 public:
  TextProposer(std::string name, const std::vector<std::string>& texts)
      : Proposer({.name = std::move(name)}), m_texts(texts.begin(), texts.end()) {}

  std::optional<Job> begin(const ProposalRequest&) override {
    if (m_texts.empty()) return std::nullopt;
    Proposal proposal{.text = m_texts.front(), .strategy = m_texts.front()};
    m_texts.pop_front();
    return job_of(std::move(proposal));
  }

 private:
  std::deque<std::string> m_texts;
};

}  // namespace robust_kbench
