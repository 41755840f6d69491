#include "recording/recording.hpp"

#include "sample_recording.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(FirstDifference, IsEmptyForEqualCalls) {
  EXPECT_EQ(first_difference(sample_recording().first, sample_recording().first), "");
}

TEST(FirstDifference, NamesTheOperation) {
  const RecordedSection one = sample_recording().first;
  RecordedSection other = one;
  std::get<RecordedLaunch>(other.operations.at(1).action).grid[0] = 5;
  EXPECT_EQ(first_difference(one, other), "operation 1 (kernel launch)");
  other.operations.at(1).action = RecordedGive{};
  EXPECT_EQ(first_difference(one, other), "operation 1 (kernel launch or release)");
  other.operations.erase(other.operations.begin() + 1, other.operations.end());
  EXPECT_EQ(first_difference(one, other), "operation 1 (kernel launch or nothing)");
}

TEST(FirstDifference, SeesMemoryOfAnotherSize) {
  const RecordedSection one = sample_recording().first;
  RecordedSection other = one;
  other.allocation_bytes = {256};
  EXPECT_EQ(first_difference(one, other), "memory, streams or results");
}

TEST(TextOf, SaysWhatAndWhere) {
  EXPECT_EQ(text_of({ReplayObstacle::Kind::unknown_call, 2, "cuTexObjectCreate"}),
            "calls cuTexObjectCreate, which cannot be replayed (call 2)");
  EXPECT_EQ(text_of({ReplayObstacle::Kind::host_reads, 0, "cuMemcpyDtoH"}),
            "its host code reads results back from the GPU (cuMemcpyDtoH) (at its load)");
}

}  // namespace
}  // namespace robust_kbench
