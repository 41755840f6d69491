#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A shorter text could be any word.
inline constexpr std::size_t shortest_secret = 8;

// The ways in which a text may spell keys: as they are, turned around, in hexadecimal or in base64.
// They may be escaped as in JSON, C, an address or HTML, and have breaks between the characters.
// Who knows a key may repeat it in any of them. The helper for language models knows the same ones.
class KeySpellings {
 public:
  explicit KeySpellings(const std::vector<std::string>& keys);

  // The text with "[key]" for each spelling of a key.
  [[nodiscard]] std::string without_keys(std::string_view text) const;

 private:
  enum class Kind { letters, hexadecimal, base64 };
  // A sequence of letters, or of bytes in hexadecimal.
  struct Spelling {
    Kind kind = Kind::letters;
    std::string units;
    bool open_end = false;              // of base64: another character holds the key's last bits
    std::array<bool, 256> begins = {};  // with which bytes a text of it may begin
  };

  void add(Kind kind, std::string units, bool open_end = false);
  [[nodiscard]] static std::size_t length_at(std::string_view text, const Spelling& spelling);
  [[nodiscard]] static std::vector<std::size_t> ends_of_unit(std::string_view text, std::size_t at,
                                                             const Spelling& spelling, char unit);

  std::vector<Spelling> m_spellings;
};

// Whether a variable of the environment is called as those of keys are.
bool names_a_key(std::string_view variable);

}  // namespace robust_kbench
