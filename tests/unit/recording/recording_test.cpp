#include "recording/recording.hpp"

#include <utility>

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

RecordedSection section_of(std::vector<RecordedOperation> operations) {
  return {
      .argument_bytes = {},
      .allocation_bytes = {},
      .streams = {RecordedStream::legacy, RecordedStream::non_blocking, RecordedStream::blocking},
      .events = 1,
      .operations = std::move(operations),
      .results = {}};
}

const RecordedFill some{.to = {}, .value = 0, .elements = 8};

TEST(BeginsWithFill, AsksForTheFirstWork) {
  EXPECT_TRUE(
      section_of({{0, RecordedTake{}}, {0, some}, {0, RecordedLaunch{}}}).begins_with_fill());
  EXPECT_FALSE(section_of({{0, RecordedLaunch{}}, {0, some}}).begins_with_fill());
  EXPECT_FALSE(section_of({}).begins_with_fill());
}

TEST(BeginsWithFill, CountsNoWorkOnNoBytes) {
  EXPECT_FALSE(section_of({{0, RecordedFill{}}, {0, RecordedLaunch{}}}).begins_with_fill());
  EXPECT_FALSE(section_of({{0, RecordedGraphLaunch{}}, {0, RecordedLaunch{}}}).begins_with_fill());
  EXPECT_TRUE(section_of({{0, RecordedCopy{}}, {0, some}}).begins_with_fill());
}

TEST(BeginsWithFill, IsFalseWhereAnotherStreamBeginsWithAKernel) {
  EXPECT_FALSE(section_of({{0, some}, {1, RecordedLaunch{}}}).begins_with_fill());
  EXPECT_TRUE(
      section_of(
          {{0, some}, {0, RecordedEventRecord{}}, {1, RecordedEventWait{}}, {1, RecordedLaunch{}}})
          .begins_with_fill());
  EXPECT_FALSE(
      section_of(
          {{0, RecordedEventRecord{}}, {0, some}, {1, RecordedEventWait{}}, {1, RecordedLaunch{}}})
          .begins_with_fill())
      << "the event was recorded before the fill";
}

TEST(BeginsWithFill, KnowsThatBlockingStreamsWaitForTheLegacyOne) {
  EXPECT_TRUE(section_of({{0, some}, {2, RecordedLaunch{}}}).begins_with_fill());
  EXPECT_TRUE(section_of({{2, some}, {0, RecordedLaunch{}}}).begins_with_fill());
}

TEST(BeginsWithFill, AsksForAllThatAGraphBeginsWith) {
  const RecordedGraphLaunch fills{{{some, {}}, {RecordedLaunch{}, {{0, 0}}}}};
  EXPECT_TRUE(section_of({{0, fills}}).begins_with_fill());
  const RecordedGraphLaunch both{{{some, {}}, {RecordedLaunch{}, {}}}};
  EXPECT_FALSE(section_of({{0, both}}).begins_with_fill());
}

}  // namespace
}  // namespace robust_kbench
