#pragma once

#include <cstdint>
#include <string_view>

namespace robust_kbench {

// splitmix64's finaliser (Steele, Lea, Flood 2014): every input bit moves half of the output bits.
// It has an inverse, so what a kernel must not foresee comes from core/cipher.hpp instead.
constexpr std::uint64_t mix(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

// The FNV-1a hash, mixed.
constexpr std::uint64_t hash(std::string_view text) {
  std::uint64_t h = 0xcbf29ce484222325ULL;
  for (const char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return mix(h);
}

// A key for one purpose: 64 bits of the HMAC by SHA-256. It tells nothing of `key`, nor of the keys
// for other purposes and numbers. Otherwise one call's key would tell the content of later calls.
std::uint64_t derived_key(std::uint64_t key, std::string_view purpose, std::uint64_t number = 0);

// The key of one tensor's numbers. The same task, tensor and seed give the same bits, regardless
// of the order of calls and of the other tensors.
std::uint64_t tensor_key(std::string_view task, std::string_view tensor, std::uint64_t seed);

// 64 random bits from the operating system, for choices that a kernel must not foresee.
std::uint64_t secret_key();

}  // namespace robust_kbench
