#include "ipc/output_sample.hpp"

#include <algorithm>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint64_t key = 7;

std::vector<std::byte> of(const std::vector<std::vector<std::byte>>& outputs) {
  return sample({outputs.begin(), outputs.end()}, key).seen;
}

TEST(OutputSample, IsTheSameForTheSameBytes) {
  const std::vector<std::byte> output(1000, std::byte{1});
  EXPECT_EQ(of({output, output}), of({output, output}));
}

TEST(OutputSample, SeesAnOutputThatIsHalfWritten) {
  std::vector<std::byte> output(100'000, std::byte{1});
  const std::vector<std::byte> before = of({output});
  std::fill_n(output.begin(), 50'000, std::byte{2});
  EXPECT_NE(of({output}), before);
}

TEST(OutputSample, SeesThatEveryFourthRowIsUnfinished) {
  constexpr std::size_t row_bytes = 512;
  const std::vector<std::byte> whole(64 * row_bytes, std::byte{1});
  std::vector<std::byte> unfinished = whole;
  for (std::size_t i = 0; i < whole.size(); ++i) {
    if (i / row_bytes % 4 == 0) unfinished[i] = std::byte{2};
  }
  int seen = 0;
  for (std::uint64_t k = 0; k < 100; ++k) {
    seen += sample({unfinished}, k).seen != sample({whole}, k).seen ? 1 : 0;
  }
  EXPECT_GE(seen, 90);
}

TEST(OutputSample, SeesTheLastByteOfEachOutput) {
  const std::vector<std::byte> whole(100'000, std::byte{1});
  std::vector<std::byte> unfinished = whole;
  unfinished.back() = std::byte{2};
  EXPECT_NE(of({whole, unfinished}), of({whole, whole}));
  EXPECT_NE(of({unfinished, whole}), of({whole, whole}));
}

TEST(OutputSample, AnEmptyOutputHasNothingToSee) {
  const std::vector<std::byte> output(10, std::byte{1});
  EXPECT_EQ(of({{}, output}), of({output}));
}

TEST(SamplePlaces, AreDeterminedByTheKeyAndWithinTheOutput) {
  EXPECT_NE(SamplePlaces::of(100'000, key).first, SamplePlaces::of(100'000, key + 1).first);
  for (const std::size_t bytes : {1U, 15U, 16U, 17U, 100'003U}) {
    const std::vector<std::int64_t> offsets = SamplePlaces::of(bytes, key).offsets();
    EXPECT_GE(offsets.front(), 0);
    EXPECT_EQ(offsets.back(), static_cast<std::int64_t>(bytes) - 1);
    EXPECT_LT(*std::max_element(offsets.begin(), offsets.end()), static_cast<std::int64_t>(bytes));
  }
}

}  // namespace
}  // namespace robust_kbench
