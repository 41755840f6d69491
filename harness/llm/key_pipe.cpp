#include "llm/key_pipe.hpp"

#include <array>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <unistd.h>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

// Appends a JSON string. `text` has room for it, as growth would leave a copy of a key behind.
void append_quoted(std::string& text, const std::string& value) {
  constexpr std::string_view digits = "0123456789abcdef";
  text += '"';
  for (const char c : value) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < ' ' || c == '"' || c == '\\') {
      text += "\\u00";
      text += digits[byte >> 4U];
      text += digits[byte & 15U];
    } else {
      text += c;
    }
  }
  text += '"';
}

// The JSON object of the keys. Its memory holds their only copy.
std::string text_of(const std::map<std::string, std::string>& keys) {
  constexpr std::size_t longest = 6;      // bytes of one character
  constexpr std::size_t punctuation = 6;  // bytes, of one key
  std::size_t size = 2;
  for (const auto& [variable, key] : keys) {
    size += longest * (variable.size() + key.size()) + punctuation;
  }
  std::string text;
  text.reserve(size);
  text += '{';
  for (const auto& [variable, key] : keys) {
    if (text.size() > 1) text += ',';
    append_quoted(text, variable);
    text += ':';
    append_quoted(text, key);
  }
  text += '}';
  return text;
}

}  // namespace

Descriptor key_pipe(const std::map<std::string, std::string>& keys) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC | O_NONBLOCK) != 0) throw system_failure("pipe");
  Descriptor reading(ends[0]);
  const Descriptor writing(ends[1]);
  std::string text = text_of(keys);
  const ssize_t written = write(writing.get(), text.data(), text.size());
  const bool is_whole = written == static_cast<ssize_t>(text.size());
  explicit_bzero(text.data(), text.size());
  if (!is_whole) throw UserError("the keys are longer than a pipe holds; shorten them");
  fcntl(reading.get(), F_SETFL, 0);  // all data are in the pipe already
  return reading;
}

}  // namespace robust_kbench
