#include "llm/manual_transport.hpp"

#include <algorithm>
#include <utility>

#include "llm/person_answer.hpp"

namespace robust_kbench {
namespace {

// The page for a person: the messages, each below its role.
std::string page_of(const Question& question) {
  std::string page;
  for (const Message& message : question.messages) {
    page += "# " + message.role + "\n\n" + message.content + "\n\n";
  }
  if (!question.schema.is_null()) {
    page += "# answer\n\nas JSON of this schema:\n\n" + question.schema.dump(2) + "\n";
  }
  return page;
}

}  // namespace

ManualTransport::ManualTransport(std::filesystem::path directory, std::function<bool()> give_up)
    : m_directory(std::move(directory)), m_give_up(std::move(give_up)) {}

Answer ManualTransport::ask(const Question& question, AttemptGate& /*gate*/) {
  std::string name = question.call + ".md";
  std::replace(name.begin(), name.end(), '/', '-');
  const std::filesystem::path answer = m_directory / "answers" / name;
  const std::optional<std::string> text =
      answer_of_person(m_directory / "requests" / name, page_of(question), answer, m_give_up);
  if (!text) return {.outcome = ModelOutcome::error, .message = "nobody wrote " + answer.string()};
  return {.text = *text, .finish_reason = "stop"};
}

}  // namespace robust_kbench
