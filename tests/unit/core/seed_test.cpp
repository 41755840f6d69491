#include "core/seed.hpp"

#include <set>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The bits before `shift` was applied: x of y = x ^ (x >> shift).
std::uint64_t before_shift(std::uint64_t y, int shift) {
  std::uint64_t x = y;
  for (int bits = shift; bits < 64; bits += shift) x = y ^ (x >> shift);
  return x;
}

// The inverse modulo 2^64 of an odd number, by Newton's iteration.
std::uint64_t inverse_of(std::uint64_t odd) {
  std::uint64_t inverse = odd;
  for (int step = 0; step < 6; ++step) inverse *= 2 - odd * inverse;
  return inverse;
}

std::uint64_t unmix(std::uint64_t y) {
  std::uint64_t x = before_shift(y, 31) * inverse_of(0x94d049bb133111ebULL);
  x = before_shift(x, 27) * inverse_of(0xbf58476d1ce4e5b9ULL);
  return before_shift(x, 30) - 0x9e3779b97f4a7c15ULL;
}

// A kernel finds the key of a tensor's stream from two of its numbers, since mix() has an inverse.
TEST(Seed, AStreamsKeyDoesNotTellTheSeed) {
  constexpr std::uint64_t seed = 0x123456789abcdefULL;
  ASSERT_EQ(unmix(mix(seed)), seed);
  const std::uint64_t key = tensor_key("layernorm", "x", seed);
  EXPECT_NE(unmix(unmix(unmix(key) ^ hash("layernorm")) ^ hash("x")), seed);
  EXPECT_NE(unmix(key), seed);
}

TEST(Seed, KeysDifferByTheirPurposeAndNumber) {
  const std::set<std::uint64_t> keys{derived_key(1, "one"),     derived_key(1, "two"),
                                     derived_key(1, "one", 1),  derived_key(2, "one"),
                                     tensor_key("one", "x", 1), tensor_key("one", "y", 1)};
  EXPECT_EQ(keys.size(), 6U);
}

TEST(Seed, AKeyIsTheSameOnEveryMachine) {
  EXPECT_EQ(tensor_key("layernorm", "x", 1), 10438234123655237317U);
}

}  // namespace
}  // namespace robust_kbench
