#include "exec/witness.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t key = 7;

std::uint64_t of(const std::vector<std::vector<std::byte>>& outputs, std::uint64_t of_key = key) {
  return witness({outputs.begin(), outputs.end()}, of_key);
}

TEST(Witness, IsTheSameForTheSameBytes) {
  const std::vector<std::byte> output(1000, std::byte{1});
  EXPECT_EQ(of({output, output}), of({output, output}));
  EXPECT_NE(of({output}), of({output}, key + 1));
}

TEST(Witness, SeesAnOutputThatIsNotWritten) {
  std::vector<std::byte> output(100'000, std::byte{1});
  const std::uint64_t before = of({output});
  std::fill_n(output.begin(), 80'000, std::byte{2});
  EXPECT_NE(of({output}), before);
}

TEST(Witness, SeesTheLastByteOfEachOutput) {
  const std::vector<std::byte> whole(100'000, std::byte{1});
  std::vector<std::byte> unfinished = whole;
  unfinished.back() = std::byte{2};
  EXPECT_NE(of({whole, unfinished}), of({whole, whole}));
  EXPECT_NE(of({unfinished, whole}), of({whole, whole}));
}

TEST(Witness, AnEmptyOutputHasNothingToSee) {
  const std::vector<std::byte> output(10, std::byte{1});
  EXPECT_EQ(of({{}, output}), of({output}));
}

}  // namespace
}  // namespace robust_kbench
