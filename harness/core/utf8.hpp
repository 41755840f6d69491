#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace robust_kbench {

// The length in bytes of the well-formed UTF-8 character at the start of `text`; 0 if there is
// none.
std::size_t utf8_length(std::string_view text);

// The text with U+FFFD in place of each byte that belongs to no well-formed character. Records need
// it, since JSON can hold no other text.
std::string valid_utf8(std::string_view text);

// The longest prefix of a text that has at most `most` bytes and cuts no character.
std::string_view utf8_prefix(std::string_view text, std::size_t most);

// The text's first line, cut as by utf8_prefix() if it has more than `most` bytes.
std::string first_line(std::string_view text, std::size_t most = std::string_view::npos);

}  // namespace robust_kbench
