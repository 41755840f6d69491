#include "evolve/command_proposer.hpp"

#include <utility>

#include "core/output_file.hpp"
#include "core/text_file.hpp"
#include "core/utf8.hpp"
#include "process/command.hpp"
#include "process/environment.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {
namespace {

std::vector<const char*> names_of(const std::vector<std::string>& names) {
  std::vector<const char*> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(name.c_str());
  return all;
}

constexpr std::size_t longest_strategy = 100;  // bytes

std::string strategy_in(const std::string& answer) {
  const std::size_t begin = answer.find_first_not_of("# \n");
  if (begin == std::string::npos || answer.compare(begin, 3, "```") == 0) return "";
  return first_line(answer.substr(begin), longest_strategy);
}

}  // namespace

std::string kernel_in(const std::string& answer) {
  const std::size_t fence = answer.find("```");
  const std::size_t begin = answer.find('\n', fence);
  if (fence == std::string::npos || begin == std::string::npos) return answer;
  return answer.substr(begin + 1, answer.find("\n```", begin) - begin);
}

CommandProposer::CommandProposer(CommandProposerOptions options, PromptOf prompt_of,
                                 Journal& journal)
    : m_options(std::move(options)), m_prompt_of(std::move(prompt_of)), m_journal(journal) {}

std::optional<Proposer::Job> CommandProposer::begin(const ProposalRequest& request) {
  return [this, &request] { return ask(request); };
}

Proposal CommandProposer::ask(const ProposalRequest& request) const {
  const nlohmann::json answer = m_journal.once("command/" + std::to_string(request.id), [&] {
    const TemporaryDirectory scratch("command");
    OutputFile(scratch.path() / "prompt.md").write(m_prompt_of(request));
    std::vector<std::string> command{"/usr/bin/env", "-i"};
    const std::vector<std::string> variables = named_variables(names_of(m_options.environment));
    command.insert(command.end(), variables.begin(), variables.end());
    const std::vector<std::string> redirected{
        "/bin/sh", "-c", "exec \"$@\" < prompt.md > answer.md 2> messages.txt", "sh"};
    command.insert(command.end(), redirected.begin(), redirected.end());
    command.insert(command.end(), m_options.command.begin(), m_options.command.end());
    const CommandResult result = run_command(command, m_options.timeout, scratch.path());
    return nlohmann::json{{"exit_code", result.exit_code},
                          {"timed_out", result.timed_out},
                          {"seconds", result.seconds},
                          {"messages", read_utf8(scratch.path() / "messages.txt").value_or("")},
                          {"answer", read_utf8(scratch.path() / "answer.md").value_or("")}};
  });
  const std::string text = answer["answer"];
  Proposal proposal{.text = kernel_in(text), .strategy = strategy_in(text), .settings = answer};
  proposal.settings.erase("answer");
  return proposal;
}

}  // namespace robust_kbench
