#include "evolve/manual_proposer.hpp"

#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "core/cancelled.hpp"
#include "core/output_file.hpp"
#include "core/text_file.hpp"
#include "evolve/command_proposer.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds look_every{200};

}  // namespace

ManualProposer::ManualProposer(std::filesystem::path directory, std::string extension,
                               PromptOf prompt_of, std::function<bool()> give_up, Journal& journal)
    : m_directory(std::move(directory)),
      m_extension(std::move(extension)),
      m_prompt_of(std::move(prompt_of)),
      m_give_up(std::move(give_up)),
      m_journal(journal) {}

nlohmann::json ManualProposer::ask(const ProposalRequest& request) const {
  const std::string name = std::to_string(request.id);
  const std::filesystem::path prompt = m_directory / "requests" / (name + ".md");
  OutputFile(prompt).write(m_prompt_of(request));
  const std::filesystem::path answer = m_directory / "answers" / (name + m_extension);
  std::fprintf(stderr, "\nread %s, and rename your answer into place as %s\n", prompt.c_str(),
               answer.c_str());
  std::filesystem::create_directories(answer.parent_path());
  while (!std::filesystem::exists(answer)) {
    if (m_give_up()) throw Cancelled();
    std::this_thread::sleep_for(look_every);
  }
  return read_utf8(answer).value_or("");
}

std::optional<Proposal> ManualProposer::propose(const ProposalRequest& request) {
  const nlohmann::json answer =
      m_journal.once("manual/" + std::to_string(request.id), [&] { return ask(request); });
  if (answer.is_null()) return std::nullopt;  // a run that was interrupted in an older version
  return Proposal{.text = kernel_in(answer.get<std::string>()), .strategy = "by hand"};
}

}  // namespace robust_kbench
