#include "process/escape.hpp"

#include <cstddef>

#include "core/utf8.hpp"

namespace robust_kbench {
namespace {

// True for C0 characters but newline and tab, for DEL, and for C1 characters. A terminal takes
// U+009B in C1 for the start of a control sequence, like ESC [.
bool is_control(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first < 0x20 ? first != '\n' && first != '\t' : first == 0x7f;
  return first == 0xc2 && static_cast<unsigned char>(character[1]) < 0xa0;
}

void append_escaped(std::string& out, std::string_view bytes) {
  constexpr std::string_view digits = "0123456789abcdef";
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    out += {'\\', 'x', digits[byte >> 4], digits[byte & 15]};
  }
}

std::string with_escapes(std::string_view text, bool on_one_line) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = utf8_length(text);
    const std::string_view character = text.substr(0, length == 0 ? 1 : length);
    if (length == 0 || is_control(character) || (on_one_line && character == "\n")) {
      append_escaped(out, character);
    } else {
      out += character;
    }
    text.remove_prefix(character.size());
  }
  return out;
}

}  // namespace

std::string escaped(std::string_view text) {
  return with_escapes(text, false);
}

std::string escaped_line(std::string_view text) {
  return with_escapes(text, true);
}

}  // namespace robust_kbench
