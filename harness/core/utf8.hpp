#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robust_kbench {

// Bytes of the well-formed UTF-8 character that `text` begins with; 0: it begins with none.
std::size_t utf8_length(std::string_view text);

// The text with U+FFFD in place of each byte that belongs to no well-formed character. Records are
// JSON, which can hold no other text.
std::string valid_utf8(std::string_view text);

// The longest beginning of a text that has at most `most` bytes and cuts no character.
std::string_view utf8_prefix(std::string_view text, std::size_t most);

// The same of the text's first line, or the whole line.
std::string first_line(std::string_view text, std::size_t most = std::string_view::npos);

}  // namespace robust_kbench
