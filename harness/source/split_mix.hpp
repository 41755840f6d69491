#pragma once

#include <cstddef>
#include <cstdint>

namespace robust_kbench {

// splitmix64 (Steele, Lea, Flood 2014). The distributions of the standard library differ between
// its makers; these do not, so a seed means the same search everywhere.
class SplitMix {
 public:
  explicit SplitMix(std::uint64_t seed) : m_state(seed) {}

  std::uint64_t next() {
    std::uint64_t x = m_state += 0x9e3779b97f4a7c15ULL;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ULL;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebULL;
    return x ^ (x >> 31);
  }

  // A number in [0, count). The bias is below count / 2^64.
  std::size_t below(std::size_t count) { return static_cast<std::size_t>(next() % count); }

  bool with_probability(double probability) {
    return static_cast<double>(next() >> 11) * 0x1p-53 < probability;
  }

 private:
  std::uint64_t m_state;
};

}  // namespace robust_kbench
