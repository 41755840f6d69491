#include "source/fingerprint.hpp"

#include "source/tokens.hpp"

namespace robust_kbench {
namespace {

// FNV-1a with 128 bits: two sources of a run that differ practically never share a digest.
class Digest {
 public:
  void add(std::string_view text) {
    for (const char c : text) add(c);
    add('\0');  // so that the ends of the texts count
  }

  [[nodiscard]] std::string hex() const {
    std::string result;
    for (int shift = 124; shift >= 0; shift -= 4) {
      result += "0123456789abcdef"[static_cast<unsigned>(m_value >> shift) & 15U];
    }
    return result;
  }

 private:
  __extension__ using Wide = unsigned __int128;

  void add(char c) {
    constexpr Wide prime = (Wide{1} << 88U) + 0x13bU;
    m_value = (m_value ^ static_cast<unsigned char>(c)) * prime;
  }

  Wide m_value = (Wide{0x6c62272e07bb0142U} << 64U) + 0x62b821756295c58dU;  // the offset basis
};

bool chooses_options(std::string_view comment) {
  const std::size_t begin = comment.find_first_not_of("/ \t");
  return begin != std::string_view::npos && comment.substr(begin).starts_with("options:");
}

void add_tokens(Digest& digest, std::string_view source) {
  for (const Token& token : tokenize(source)) {
    if (token.kind == TokenKind::space) continue;
    if (token.kind == TokenKind::comment && !chooses_options(token.text)) continue;
    if (token.kind == TokenKind::directive) {
      digest.add("#");
      add_tokens(digest, token.text.substr(1));
      digest.add("\n");
    } else if (token.kind == TokenKind::string) {
      digest.add(token.text);  // lines of a raw string are not joined
    } else {
      digest.add(without_splices(token.text));
    }
  }
}

}  // namespace

std::string fingerprint(std::string_view source) {
  Digest digest;
  add_tokens(digest, source);
  return digest.hex();
}

}  // namespace robust_kbench
