#include "core/cipher.hpp"

#include <algorithm>

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

}  // namespace robust_kbench
