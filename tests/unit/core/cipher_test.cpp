#include "core/cipher.hpp"

#include <algorithm>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// The first block of ChaCha8 for a key, counter and nonce of zeros. It is test vector 1 of
// draft-strombergson-chacha-test-vectors-01.
TEST(Cipher, MakesTheBlockOfThePublishedTestVector) {
  constexpr CipherBlock expected{0x2fef003e, 0xd6405f89, 0xe8b85b7f, 0xa1a5091f,
                                 0xc30e842c, 0x3b7f9ace, 0x88e11b18, 0x1e1a71ef,
                                 0x72e14c98, 0x416f21b9, 0x6753449f, 0x19566d45,
                                 0xa3424a31, 0x01b086da, 0xb8fd7b38, 0x42fe0c0e};
  EXPECT_EQ(cipher_block(0, 0), expected);
}

TEST(Cipher, TakesAllBitsOfTheKeyAndTheCounter) {
  std::set<CipherBlock> blocks{cipher_block(0, 0)};
  for (int bit = 0; bit < 64; ++bit) {
    blocks.insert(cipher_block(std::uint64_t{1} << bit, 0));
    blocks.insert(cipher_block(0, std::uint64_t{1} << bit));
  }
  EXPECT_EQ(blocks.size(), 129);
}

TEST(CipherStream, GivesTheBlocksWordsInTheirOrder) {
  CipherStream stream(5);
  for (std::uint64_t counter = 0; counter < 3; ++counter) {
    const CipherBlock block = cipher_block(5, counter);
    for (std::size_t i = 0; i < block.size(); i += 2) {
      EXPECT_EQ(stream(), block[i] | std::uint64_t{block[i + 1]} << 32);
    }
  }
}

TEST(CipherStream, ReachesEachNumberBelowACount) {
  CipherStream stream(1);
  std::vector<int> seen(7, 0);
  for (int i = 0; i < 7000; ++i) ++seen.at(stream.below(seen.size()));
  EXPECT_GT(*std::min_element(seen.begin(), seen.end()), 850);
  EXPECT_LT(*std::max_element(seen.begin(), seen.end()), 1150);
}

TEST(DrawnOrder, HasEachNumberOnceAndAnyInEachPlace) {
  std::set<std::size_t> first;
  for (std::uint64_t key = 1; key <= 100; ++key) {
    CipherStream stream(key);
    std::vector<std::size_t> order = drawn_order(5, stream);
    first.insert(order.front());
    std::sort(order.begin(), order.end());
    EXPECT_EQ(order, (std::vector<std::size_t>{0, 1, 2, 3, 4}));
  }
  EXPECT_EQ(first.size(), 5U);
  CipherStream stream(1);
  EXPECT_TRUE(drawn_order(0, stream).empty());
}

}  // namespace
}  // namespace robust_kbench
