#include "llm/person_answer.hpp"

#include <chrono>
#include <cstdio>
#include <thread>

#include "core/output_file.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds look_every{200};

}  // namespace

std::optional<std::string> answer_of_person(const std::filesystem::path& question,
                                            const std::string& text,
                                            const std::filesystem::path& answer,
                                            const std::function<bool()>& give_up) {
  OutputFile(question).write(text);
  std::fprintf(stderr, "\nread %s, and rename your answer into place as %s\n", question.c_str(),
               answer.c_str());
  std::filesystem::create_directories(answer.parent_path());
  while (!std::filesystem::exists(answer)) {
    if (give_up()) return std::nullopt;
    std::this_thread::sleep_for(look_every);
  }
  return read_utf8(answer).value_or("");
}

}  // namespace robust_kbench
