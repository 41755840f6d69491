#pragma once

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "archive/journal.hpp"
#include "prompt/prompt.hpp"
#include "propose/proposer.hpp"

namespace robust_kbench {

// The kernel in an answer: the text of its first fenced block, else the whole answer.
std::string kernel_in(const std::string& answer);

struct CommandProposerOptions {
  std::vector<std::string> command;
  std::chrono::milliseconds timeout;
  std::vector<std::string> environment;  // names of the variables that it gets
};

// Asks any program: prompt on stdin, answer on stdout. It runs in a process group and a scratch
// directory of its own, and gets the named variables only. It is killed at the time limit, and when
// the run is to stop. Its answer is read without the keys that it got. After several answers in a
// row without a source it is not asked any more.
class CommandProposer : public Proposer {
 public:
  CommandProposer(CommandProposerOptions options, PromptOf prompt_of, Journal& journal,
                  std::stop_token stop = {});

  std::optional<Job> begin(const ProposalRequest& request) override;
  [[nodiscard]] Silence silence() const override { return {m_silence}; }
  void learn(const ProposalResult& result) override;

 private:
  Proposal ask(const ProposalRequest& request) const;

  const CommandProposerOptions m_options;
  const PromptOf m_prompt_of;
  Journal& m_journal;
  const std::stop_token m_stop;
  int m_failures = 0;  // in a row
  std::string m_silence;
};

}  // namespace robust_kbench
