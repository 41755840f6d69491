#include "command/tell_error.hpp"

#include <cstdio>
#include <span>
#include <string_view>

#include <nlohmann/json.hpp>

namespace robust_kbench {

bool wants_json(int argc, const char* const* argv) {
  const std::span words(argv, static_cast<std::size_t>(argc));
  for (std::size_t i = 1; i < words.size(); ++i) {
    const std::string_view word = words[i];
    if (word == "--json=-") return true;
    if (word == "-" && std::string_view(words[i - 1]) == "--json") return true;
  }
  return false;
}

void tell_error(const std::string& program, const ProgramError& error, bool json) {
  std::fprintf(stderr, "%s: %s\n", program.c_str(), error.message.c_str());
  if (!json) return;
  const nlohmann::json object{
      {"error", {{"exit_code", error.exit_code}, {"message", error.message}}}};
  // Names of files need not be UTF-8.
  const std::string text =
      object.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

}  // namespace robust_kbench
