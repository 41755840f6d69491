#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/capability.hpp"

namespace robust_kbench {

// A part of a text that says what a kernel asks for.
struct TellingWord {
  Capability capability = Capability::other;
  std::string word;
};

// What a text among a kernel's data asks for. Paths below /proc, /sys, /dev, /etc and /run do, and
// names of libraries, of the driver's functions and of this harness.
std::vector<TellingWord> telling_words_of_text(std::string_view text);

// Whether a source may hold any of them. Most headers do not, and need not be cut into tokens.
bool may_hold_telling_words(std::string_view source);

// The names of this harness in an identifier or a directive of a source.
std::vector<TellingWord> telling_words_of_code(std::string_view code);

}  // namespace robust_kbench
