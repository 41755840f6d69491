#include "propose/manual_proposer.hpp"

#include <utility>

#include "core/cancelled.hpp"
#include "llm/person_answer.hpp"
#include "propose/command_proposer.hpp"

namespace robust_kbench {

ManualProposer::ManualProposer(std::filesystem::path directory, std::string extension,
                               PromptOf prompt_of, std::function<bool()> give_up, Journal& journal)
    : Proposer({.name = "manual"}),
      m_directory(std::move(directory)),
      m_extension(std::move(extension)),
      m_prompt_of(std::move(prompt_of)),
      m_give_up(std::move(give_up)),
      m_journal(journal) {}

nlohmann::json ManualProposer::ask(const ProposalRequest& request) const {
  const std::string name = std::to_string(request.id);
  const std::optional<std::string> answer =
      answer_of_person(m_directory / "requests" / (name + ".md"), m_prompt_of(request),
                       m_directory / "answers" / (name + m_extension), m_give_up);
  if (!answer) throw Cancelled();
  return *answer;
}

std::optional<Proposer::Job> ManualProposer::begin(const ProposalRequest& request) {
  const nlohmann::json answer =
      m_journal.once("manual/" + std::to_string(request.id), [&] { return ask(request); });
  if (answer.is_null()) return std::nullopt;  // a run that was interrupted in an older version
  return job_of({.text = kernel_in(answer.get<std::string>()), .strategy = "by hand"});
}

}  // namespace robust_kbench
