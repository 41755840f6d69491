#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

// ChaCha with eight rounds (Bernstein 2008), in counter mode. Everything that a kernel must not
// foresee is drawn by it. No faster way is known from its numbers to the key, or to those of other
// counters, than trying all 2^64 keys.
namespace robust_kbench {

inline constexpr std::size_t cipher_words = 16;  // 32-bit words of a block
inline constexpr int cipher_double_rounds = 4;

// The functions of rounds work on one block whose words are integers, or on several blocks whose
// words are vectors. They are inlined, since only then they use the caller's instruction set.
template <int bits, typename Word>
[[gnu::always_inline]] inline void add_xor_rotate(Word& sum, const Word& term, Word& rotated) {
  sum += term;
  const Word mixed = rotated ^ sum;
  rotated = (mixed << bits) | (mixed >> (32 - bits));
}

template <typename Word>
[[gnu::always_inline]] inline void quarter_round(Word& a, Word& b, Word& c, Word& d) {
  add_xor_rotate<16>(a, b, d);
  add_xor_rotate<12>(c, d, b);
  add_xor_rotate<8>(a, b, d);
  add_xor_rotate<7>(c, d, b);
}

template <typename Word>
[[gnu::always_inline]] inline void cipher_rounds(Word (&x)[cipher_words]) {
#pragma GCC unroll 4
  for (int i = 0; i < cipher_double_rounds; ++i) {
    quarter_round(x[0], x[4], x[8], x[12]);
    quarter_round(x[1], x[5], x[9], x[13]);
    quarter_round(x[2], x[6], x[10], x[14]);
    quarter_round(x[3], x[7], x[11], x[15]);
    quarter_round(x[0], x[5], x[10], x[15]);
    quarter_round(x[1], x[6], x[11], x[12]);
    quarter_round(x[2], x[7], x[8], x[13]);
    quarter_round(x[3], x[4], x[9], x[14]);
  }
}

// The words before the first round: ChaCha's constants, the key, and the block's counter. Words 6
// to 11, 14 and 15 are zero.
inline constexpr std::array<std::uint32_t, 4> cipher_constants{0x61707865, 0x3320646e, 0x79622d32,
                                                               0x6b206574};
inline constexpr std::size_t cipher_key_word = 4;       // and the next
inline constexpr std::size_t cipher_counter_word = 12;  // and the next

using CipherBlock = std::array<std::uint32_t, cipher_words>;

constexpr CipherBlock cipher_input(std::uint64_t key, std::uint64_t counter) {
  CipherBlock input{cipher_constants[0], cipher_constants[1], cipher_constants[2],
                    cipher_constants[3]};
  input[cipher_key_word] = static_cast<std::uint32_t>(key);
  input[cipher_key_word + 1] = static_cast<std::uint32_t>(key >> 32);
  input[cipher_counter_word] = static_cast<std::uint32_t>(counter);
  input[cipher_counter_word + 1] = static_cast<std::uint32_t>(counter >> 32);
  return input;
}

CipherBlock cipher_block(std::uint64_t key, std::uint64_t counter);

// The numbers of one key, as an engine of <random>.
class CipherStream {
 public:
  using result_type = std::uint64_t;
  explicit CipherStream(std::uint64_t key) : m_key(key) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return std::numeric_limits<result_type>::max(); }
  result_type operator()();
  // From 0 to `count` - 1. The distributions of the standard library differ between libraries.
  std::uint64_t below(std::uint64_t count);

 private:
  std::uint64_t m_key;
  std::uint64_t m_counter = 0;
  std::size_t m_next = cipher_words;  // word of m_block; all are used at first
  CipherBlock m_block{};
};

// The numbers below `count` in an order that the stream draws.
std::vector<std::size_t> drawn_order(std::size_t count, CipherStream& stream);

}  // namespace robust_kbench
