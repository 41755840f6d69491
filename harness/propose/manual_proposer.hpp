#pragma once

#include <filesystem>
#include <functional>
#include <string>

#include "archive/journal.hpp"
#include "prompt/prompt.hpp"
#include "propose/proposer.hpp"

namespace robust_kbench {

// Asks a person or an agent: writes `requests/<id>.md` in the run's directory, and waits for
// `answers/<id>.<extension>`, which is to be renamed into place.
class ManualProposer : public Proposer {
 public:
  ManualProposer(std::filesystem::path directory, std::string extension, PromptOf prompt_of,
                 std::function<bool()> give_up, Journal& journal);

  std::optional<Job> begin(const ProposalRequest& request) override;

 private:
  [[nodiscard]] nlohmann::json ask(const ProposalRequest& request) const;

  const std::filesystem::path m_directory;
  const std::string m_extension;
  const PromptOf m_prompt_of;
  const std::function<bool()> m_give_up;  // asked while it waits
  Journal& m_journal;
};

}  // namespace robust_kbench
