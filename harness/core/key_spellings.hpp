#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A shorter text could be any word.
inline constexpr std::size_t shortest_secret = 8;

// The ways in which a text may spell keys: as they are, reversed, in hexadecimal or in base64. They
// may be escaped as in JSON, C, an address or HTML, and have breaks between the characters. A
// program that knows a key may print it in any of them. The helper for language models has the same
// list.
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
    bool open_end = false;              // of base64: the key's last bits are in a further character
    std::array<bool, 256> begins = {};  // bytes with which a spelling may begin
  };

  void add(Kind kind, std::string units, bool open_end = false);
  [[nodiscard]] static std::size_t length_at(std::string_view text, const Spelling& spelling);
  [[nodiscard]] static std::vector<std::size_t> ends_of_unit(std::string_view text, std::size_t at,
                                                             const Spelling& spelling, char unit);

  std::vector<Spelling> m_spellings;
};

// Whether an environment variable has a name that is usual for keys.
bool names_a_key(std::string_view variable);

}  // namespace robust_kbench
