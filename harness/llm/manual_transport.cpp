#include "llm/manual_transport.hpp"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>
#include <utility>

#include "core/output_file.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds look_every{200};

// What a person reads: the messages, each below its role.
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
  const std::filesystem::path request = m_directory / "requests" / name;
  OutputFile(request).write(page_of(question));
  const std::filesystem::path answer = m_directory / "answers" / name;
  std::fprintf(stderr, "\nread %s, and rename your answer into place as %s\n", request.c_str(),
               answer.c_str());
  std::filesystem::create_directories(answer.parent_path());
  while (!std::filesystem::exists(answer)) {
    if (m_give_up()) {
      return {.outcome = ModelOutcome::error, .message = "nobody wrote " + answer.string()};
    }
    std::this_thread::sleep_for(look_every);
  }
  return {.text = read_utf8(answer).value_or(""), .finish_reason = "stop"};
}

}  // namespace robust_kbench
