#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "evolve/prompt.hpp"
#include "evolve/proposer.hpp"

namespace robust_kbench {

// The kernel in an answer: the text of its first fenced block, else the whole answer.
std::string kernel_in(const std::string& answer);

struct CommandProposerOptions {
  std::vector<std::string> command;
  std::chrono::milliseconds timeout;
  std::vector<std::string> environment;  // names of the variables that it gets
};

// Asks any program: prompt on stdin, answer on stdout. It runs in a process group and a scratch
// directory of its own, gets the named variables only, and is killed at the time limit.
class CommandProposer : public Proposer {
 public:
  CommandProposer(CommandProposerOptions options, PromptOf prompt_of, Journal& journal);

  [[nodiscard]] std::string name() const override { return "command"; }
  [[nodiscard]] bool takes_long() const override { return true; }
  std::optional<Job> begin(const ProposalRequest& request) override;

 private:
  Proposal ask(const ProposalRequest& request) const;

  const CommandProposerOptions m_options;
  const PromptOf m_prompt_of;
  Journal& m_journal;
};

}  // namespace robust_kbench
