#include "core/cipher.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace robust_kbench {

CipherBlock cipher_block(std::uint64_t key, std::uint64_t counter) {
  const CipherBlock input = cipher_input(key, counter);
  std::uint32_t words[cipher_words];
  std::copy(input.begin(), input.end(), words);
  cipher_rounds(words);
  CipherBlock block;
  for (std::size_t i = 0; i < cipher_words; ++i) block[i] = words[i] + input[i];
  return block;
}

CipherStream::result_type CipherStream::operator()() {
  if (m_next == cipher_words) {
    m_block = cipher_block(m_key, m_counter++);
    m_next = 0;
  }
  const std::uint64_t low = m_block[m_next++];
  return low | std::uint64_t{m_block[m_next++]} << 32;
}

std::uint64_t CipherStream::below(std::uint64_t count) {
  return static_cast<std::uint64_t>(static_cast<unsigned __int128>((*this)()) * count >> 64);
}

// std::shuffle draws differently in each standard library.
std::vector<std::size_t> drawn_order(std::size_t count, CipherStream& stream) {
  std::vector<std::size_t> order(count);
  std::iota(order.begin(), order.end(), std::size_t{0});
  for (std::size_t left = count; left > 1; --left) {
    std::swap(order[left - 1], order[stream.below(left)]);
  }
  return order;
}

}  // namespace robust_kbench
