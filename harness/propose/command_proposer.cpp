#include "propose/command_proposer.hpp"

#include <utility>

#include "core/key_spellings.hpp"
#include "core/output_file.hpp"
#include "core/text_file.hpp"
#include "core/utf8.hpp"
#include "process/command.hpp"
#include "process/environment.hpp"
#include "process/temporary_directory.hpp"

#include <fmt/format.h>

namespace robust_kbench {
namespace {

std::vector<const char*> c_names(const std::vector<std::string>& names) {
  std::vector<const char*> all;
  all.reserve(names.size());
  for (const std::string& name : names) all.push_back(name.c_str());
  return all;
}

constexpr std::size_t longest_strategy = 100;  // bytes
constexpr std::size_t most_answer_bytes = std::size_t{16} << 20;
constexpr int most_failures = 8;  // in a row, as of models

// The strategy: the first line, where it is text before a fence, or a comment in front of the
// source.
std::string strategy_in(const std::string& answer) {
  const bool is_source = answer.find("```") == std::string::npos;
  if (is_source && !answer.starts_with("//")) return "";
  const std::size_t begin = answer.find_first_not_of("#/ \n");
  if (begin == std::string::npos || answer.compare(begin, 3, "```") == 0) return "";
  return first_line(answer.substr(begin), longest_strategy);
}

// The text that the program wrote. It may have put anything in place of the file, such as a pipe
// that nobody writes to.
std::string written(const std::filesystem::path& file) {
  std::error_code ignored;
  const std::filesystem::file_status status = std::filesystem::symlink_status(file, ignored);
  if (!std::filesystem::is_regular_file(status)) return "";
  if (std::filesystem::file_size(file, ignored) > most_answer_bytes) return "";
  return read_utf8(file).value_or("");
}

// The keys among the variables NAME=value that the program got, which its answers must not contain.
KeySpellings keys_among(const std::vector<std::string>& variables) {
  std::vector<std::string> keys;
  for (const std::string& variable : variables) {
    const std::size_t equals = variable.find('=');
    const std::string value = variable.substr(equals + 1);
    if (!names_a_key(variable.substr(0, equals)) || value.size() < shortest_secret) continue;
    keys.push_back(value);
  }
  return KeySpellings(keys);
}

// The reason for which an answer has no source.
std::string no_source(const std::string& program, const nlohmann::json& answer) {
  if (answer.at("timed_out")) {
    return fmt::format("{} was killed after {:.0f} s", program, answer.at("seconds").get<double>());
  }
  const int exit_code = answer.at("exit_code");
  const std::string messages = answer.at("messages");
  return fmt::format("{} ended with exit code {} and wrote no source{}", program, exit_code,
                     messages.empty() ? "" : ": " + first_line(messages, longest_strategy));
}

}  // namespace

std::string kernel_in(const std::string& answer) {
  const std::size_t fence = answer.find("```");
  const std::size_t begin = answer.find('\n', fence);
  if (fence == std::string::npos || begin == std::string::npos) return answer;
  return answer.substr(begin + 1, answer.find("\n```", begin) - begin);
}

CommandProposer::CommandProposer(CommandProposerOptions options, PromptOf prompt_of,
                                 Journal& journal, std::stop_token stop)
    : Proposer({.name = "command", .takes_long = true}),
      m_options(std::move(options)),
      m_prompt_of(std::move(prompt_of)),
      m_journal(journal),
      m_stop(std::move(stop)) {}

void CommandProposer::learn(const ProposalResult& result) {
  m_failures = result.text.empty() ? m_failures + 1 : 0;
  if (m_failures < most_failures) return;
  m_silence =
      fmt::format("{} answers of {} in a row had no source; the last: {}", m_failures,
                  m_options.command.front(), first_line(result.failure.reason, longest_strategy));
}

std::optional<Proposer::Job> CommandProposer::begin(const ProposalRequest& request) {
  if (!m_silence.empty()) return std::nullopt;
  return [this, &request] { return ask(request); };
}

Proposal CommandProposer::ask(const ProposalRequest& request) const {
  const nlohmann::json answer = m_journal.once("command/" + std::to_string(request.id), [&] {
    const TemporaryDirectory scratch("command");
    OutputFile(scratch.path() / "prompt.md").write(m_prompt_of(request));
    std::vector<std::string> command{"/usr/bin/env", "-i"};
    const std::vector<std::string> variables = named_variables(c_names(m_options.environment));
    command.insert(command.end(), variables.begin(), variables.end());
    const std::vector<std::string> redirected{
        "/bin/sh", "-c", "exec \"$@\" < prompt.md > answer.md 2> messages.txt", "sh"};
    command.insert(command.end(), redirected.begin(), redirected.end());
    command.insert(command.end(), m_options.command.begin(), m_options.command.end());
    const CommandResult result = run_to_end(
        {.arguments = command, .working_directory = scratch.path(), .traces_nobody = true},
        m_options.timeout, m_stop);
    const KeySpellings keys = keys_among(variables);
    const auto said = [&](const char* file) {
      return keys.without_keys(written(scratch.path() / file));
    };
    return nlohmann::json{{"exit_code", result.exit_code},
                          {"timed_out", result.timed_out},
                          {"seconds", result.seconds},
                          {"messages", said("messages.txt")},
                          {"answer", said("answer.md")}};
  });
  const std::string text = answer["answer"];
  Proposal proposal{.text = kernel_in(text), .strategy = strategy_in(text), .settings = answer};
  proposal.settings.erase("answer");
  if (proposal.strategy.empty()) {
    proposal.strategy =
        "by " + std::filesystem::path(m_options.command.front()).filename().string();
  }
  if (proposal.text.empty()) proposal.refused = no_source(m_options.command.front(), answer);
  return proposal;
}

}  // namespace robust_kbench
