#pragma once

#include <cstdint>
#include <string_view>

namespace robust_kbench {

// splitmix64's finaliser (Steele, Lea, Flood 2014): every input bit moves half of the output bits.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// FNV-1a, mixed.
constexpr std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h);
}

// The key of one tensor's generator. Same task, tensor and seed: same bits, wherever in the call
// sequence and whatever the other tensors are.
constexpr std::uint64_t tensor_key(std::string_view task, std::string_view tensor,
                                   std::uint64_t seed) {
  return mix(hash(task) ^ mix(hash(tensor) ^ mix(seed)));
}

// 64 bits from the operating system, for what a kernel must not foresee.
std::uint64_t secret_key();

}  // namespace robust_kbench
