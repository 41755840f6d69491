#include "core/sha256.hpp"

#include <array>
#include <bit>
#include <cstdint>

namespace robust_kbench {
namespace {

// Sections of FIPS 180-4 say where each of the constants and functions is from.
constexpr std::size_t block_bytes = 64;

// Section 4.2.2: the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// Section 5.3.3: the fractional parts of the square roots of the first eight primes.
using State = std::array<std::uint32_t, 8>;
constexpr State initial_state{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                              0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

// Section 6.2.2, step 1.
std::array<std::uint32_t, 64> schedule(std::string_view block) {
  std::array<std::uint32_t, 64> words{};
  for (std::size_t i = 0; i < block_bytes; ++i) {
    words[i / 4] = words[i / 4] << 8 | static_cast<unsigned char>(block[i]);
  }
  for (std::size_t t = 16; t < words.size(); ++t) {
    const std::uint32_t a = words[t - 15];
    const std::uint32_t b = words[t - 2];
    words[t] = words[t - 16] + (std::rotr(a, 7) ^ std::rotr(a, 18) ^ a >> 3) + words[t - 7] +
               (std::rotr(b, 17) ^ std::rotr(b, 19) ^ b >> 10);
  }
  return words;
}

// Section 6.2.2, steps 2 to 4.
void add_block(State& state, std::string_view block) {
  const std::array<std::uint32_t, 64> words = schedule(block);
  auto [a, b, c, d, e, f, g, h] = state;
  for (std::size_t t = 0; t < words.size(); ++t) {
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    const std::uint32_t first = h + (std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25)) +
                                choice + round_constants[t] + words[t];
    const std::uint32_t second = (std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22)) + majority;
    h = g;
    g = f;
    f = e;
    e = d + first;
    d = c;
    c = b;
    b = a;
    a = first + second;
  }
  const State words_of_round{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < state.size(); ++i) state[i] += words_of_round[i];
}

// Section 5.1.1: the bytes after the last whole block, with padding and the length in bits.
std::string padded_rest(std::string_view bytes) {
  std::string rest(bytes.substr(bytes.size() / block_bytes * block_bytes));
  rest += '\x80';
  while (rest.size() % block_bytes != block_bytes - sizeof(std::uint64_t)) rest += '\0';
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  for (int shift = 56; shift >= 0; shift -= 8) rest += static_cast<char>(bits >> shift & 0xff);
  return rest;
}

void add_blocks(State& state, std::string_view blocks) {
  for (; blocks.size() >= block_bytes; blocks.remove_prefix(block_bytes)) {
    add_block(state, blocks.substr(0, block_bytes));
  }
}

State state_of(std::string_view bytes) {
  State state = initial_state;
  add_blocks(state, bytes);
  add_blocks(state, padded_rest(bytes));
  return state;
}

std::string bytes_of(const State& state) {
  std::string bytes;
  for (const std::uint32_t word : state) {
    for (int shift = 24; shift >= 0; shift -= 8) bytes += static_cast<char>(word >> shift & 0xff);
  }
  return bytes;
}

std::string padded_key(std::string_view key, char pad) {
  std::string block(key.size() > block_bytes ? bytes_of(state_of(key)) : std::string(key));
  block.resize(block_bytes, '\0');
  for (char& byte : block) byte = static_cast<char>(byte ^ pad);
  return block;
}

}  // namespace

std::string hmac_sha256(std::string_view key, std::string_view message) {
  const std::string inner = bytes_of(state_of(padded_key(key, '\x36') + std::string(message)));
  return sha256(padded_key(key, '\x5c') + inner);
}

std::string sha256(std::string_view bytes) {
  const State state = state_of(bytes);
  std::string digits;
  for (const std::uint32_t word : state) {
    for (int shift = 28; shift >= 0; shift -= 4) digits += "0123456789abcdef"[word >> shift & 0xf];
  }
  return digits;
}

}  // namespace robust_kbench
