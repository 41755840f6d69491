#include "replayer/plan.hpp"

#include <utility>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::uint32_t legacy_stream = 0;
constexpr std::uint32_t blocking_stream = 1;
constexpr std::uint32_t other_blocking_stream = 2;
constexpr std::uint32_t free_stream = 3;

RecordedSection section_of(std::vector<RecordedOperation> operations) {
  return {.argument_bytes = {},
          .allocation_bytes = {},
          .streams = {RecordedStream::legacy, RecordedStream::blocking, RecordedStream::blocking,
                      RecordedStream::non_blocking},
          .events = 2,
          .operations = std::move(operations),
          .results = {}};
}

RecordedOperation kernel_on(std::uint32_t stream) {
  return {.stream = stream, .action = RecordedLaunch{}};
}

RecordedOperation early_kernel_on(std::uint32_t stream) {
  RecordedLaunch launch;
  launch.attributes = {{.id = 6, .value = {1, 0, 0, 0}}};
  return {.stream = stream, .action = launch};
}

// The nodes that each node of the plan waits for.
std::vector<std::vector<std::uint32_t>> edges_of(const RecordedSection& section) {
  std::vector<std::vector<std::uint32_t>> edges;
  for (const RecordedNode& node : plan_of(section).nodes) {
    std::vector<std::uint32_t>& of_node = edges.emplace_back();
    for (const RecordedNode::Dependency& dependency : node.after) {
      of_node.push_back(dependency.node);
    }
  }
  return edges;
}

using testing::ElementsAre;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

TEST(PlanOf, KeepsTheOrderOfAStream) {
  EXPECT_THAT(edges_of(section_of(
                  {kernel_on(legacy_stream), kernel_on(legacy_stream), kernel_on(legacy_stream)})),
              ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(1)));
}

TEST(PlanOf, BeginsAllStreamsTogether) {
  EXPECT_THAT(edges_of(section_of({kernel_on(blocking_stream), kernel_on(other_blocking_stream),
                                   kernel_on(free_stream)})),
              ElementsAre(IsEmpty(), IsEmpty(), IsEmpty()));
}

TEST(PlanOf, LetsTheLegacyStreamWaitForBlockingOnes) {
  EXPECT_THAT(edges_of(section_of({kernel_on(blocking_stream), kernel_on(other_blocking_stream),
                                   kernel_on(free_stream), kernel_on(legacy_stream)})),
              ElementsAre(IsEmpty(), IsEmpty(), IsEmpty(), UnorderedElementsAre(0, 1)));
}

TEST(PlanOf, LetsBlockingStreamsWaitForTheLegacyOne) {
  EXPECT_THAT(edges_of(section_of({kernel_on(legacy_stream), kernel_on(blocking_stream),
                                   kernel_on(free_stream), kernel_on(other_blocking_stream)})),
              ElementsAre(IsEmpty(), ElementsAre(0), IsEmpty(), ElementsAre(0)));
}

TEST(PlanOf, OrdersStreamsByEvents) {
  EXPECT_THAT(
      edges_of(section_of({kernel_on(free_stream),
                           {.stream = free_stream, .action = RecordedEventRecord{.event = 0}},
                           kernel_on(free_stream),
                           {.stream = blocking_stream, .action = RecordedEventWait{.event = 0}},
                           kernel_on(blocking_stream)})),
      ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(0)));
}

TEST(PlanOf, UsesTheLastRecordOfAnEvent) {
  EXPECT_THAT(
      edges_of(section_of({kernel_on(free_stream),
                           {.stream = free_stream, .action = RecordedEventRecord{.event = 0}},
                           kernel_on(free_stream),
                           {.stream = free_stream, .action = RecordedEventRecord{.event = 0}},
                           {.stream = blocking_stream, .action = RecordedEventWait{.event = 0}},
                           kernel_on(blocking_stream)})),
      ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(1)));
}

TEST(PlanOf, LetsALaunchBeginEarlyByAnEdge) {
  const ReplayPlan plan = plan_of(
      section_of({kernel_on(free_stream), early_kernel_on(free_stream), kernel_on(free_stream)}));
  ASSERT_EQ(plan.nodes.size(), 3U);
  ASSERT_EQ(plan.nodes[1].after.size(), 1U);
  EXPECT_EQ(plan.nodes[1].after[0].is_programmatic, 1);
  EXPECT_TRUE(std::get<RecordedLaunch>(plan.nodes[1].work).attributes.empty());
  // The early one may end before the one that it did not wait for.
  ASSERT_EQ(plan.nodes[2].after.size(), 2U);
  EXPECT_EQ(plan.nodes[2].after[0].is_programmatic + plan.nodes[2].after[1].is_programmatic, 0);
}

TEST(PlanOf, LetsALaunchBeginEarlyOnlyBehindALaunch) {
  const ReplayPlan plan = plan_of(section_of(
      {{.stream = free_stream, .action = RecordedFill{}}, early_kernel_on(free_stream)}));
  EXPECT_EQ(plan.nodes.at(1).after.at(0).is_programmatic, 0);
}

TEST(PlanOf, PutsAGraphInItsStream) {
  const RecordedGraphLaunch graph{.nodes = {{.work = RecordedFill{}, .after = {}},
                                            {.work = RecordedFill{}, .after = {}},
                                            {.work = RecordedFill{}, .after = {{.node = 0}}}}};
  EXPECT_THAT(edges_of(section_of({kernel_on(legacy_stream),
                                   {.stream = legacy_stream, .action = graph},
                                   kernel_on(legacy_stream)})),
              ElementsAre(IsEmpty(), ElementsAre(0), ElementsAre(0), ElementsAre(1),
                          UnorderedElementsAre(2, 3)));
}

TEST(PlanOf, SetsFunctionAttributesBeforeTheWork) {
  const ReplayPlan plan = plan_of(section_of(
      {kernel_on(legacy_stream),
       {.stream = legacy_stream, .action = RecordedFunctionAttribute{.attribute = 8, .value = 7}},
       {.stream = legacy_stream, .action = RecordedTake{}}}));
  EXPECT_EQ(plan.nodes.size(), 1U);
  ASSERT_EQ(plan.function_attributes.size(), 1U);
  EXPECT_EQ(plan.function_attributes[0].value, 7);
}

RecordedOperation on(std::uint32_t stream, RecordedAction action) {
  return {.stream = stream, .action = std::move(action)};
}

bool fill_begins(std::vector<RecordedOperation> operations) {
  return begins_with_fill(plan_of(section_of(std::move(operations))));
}

const RecordedFill some{.to = {}, .value = 0, .elements = 8};

TEST(BeginsWithFill, AsksForTheFirstWork) {
  EXPECT_TRUE(fill_begins(
      {on(legacy_stream, RecordedTake{}), on(legacy_stream, some), kernel_on(legacy_stream)}));
  EXPECT_FALSE(fill_begins({kernel_on(legacy_stream), on(legacy_stream, some)}));
  EXPECT_FALSE(fill_begins({}));
}

TEST(BeginsWithFill, CountsNoWorkOnNoBytes) {
  EXPECT_FALSE(fill_begins({on(legacy_stream, RecordedFill{}), kernel_on(legacy_stream)}));
  EXPECT_FALSE(fill_begins({on(legacy_stream, RecordedGraphLaunch{}), kernel_on(legacy_stream)}));
  EXPECT_TRUE(fill_begins({on(legacy_stream, RecordedCopy{}), on(legacy_stream, some)}));
}

TEST(BeginsWithFill, IsFalseWhereAnotherStreamBeginsWithAKernel) {
  EXPECT_FALSE(fill_begins({on(legacy_stream, some), kernel_on(free_stream)}));
  EXPECT_TRUE(fill_begins({on(legacy_stream, some), on(legacy_stream, RecordedEventRecord{}),
                           on(free_stream, RecordedEventWait{}), kernel_on(free_stream)}));
  EXPECT_FALSE(fill_begins({on(legacy_stream, RecordedEventRecord{}), on(legacy_stream, some),
                            on(free_stream, RecordedEventWait{}), kernel_on(free_stream)}))
      << "the event was recorded before the fill";
}

TEST(BeginsWithFill, FollowsTheLegacyStreamByItsWorkAlone) {
  EXPECT_TRUE(fill_begins({on(legacy_stream, some), kernel_on(blocking_stream)}));
  EXPECT_TRUE(fill_begins({on(blocking_stream, some), kernel_on(legacy_stream)}));
  EXPECT_FALSE(fill_begins({on(blocking_stream, some), on(legacy_stream, RecordedEventRecord{}),
                            kernel_on(other_blocking_stream)}));
  EXPECT_FALSE(fill_begins({on(blocking_stream, some), on(legacy_stream, RecordedTake{}),
                            kernel_on(other_blocking_stream)}));
}

TEST(BeginsWithFill, AsksForAllThatAGraphBeginsWith) {
  const RecordedGraphLaunch fills{{{some, {}}, {RecordedLaunch{}, {{0, 0}}}}};
  EXPECT_TRUE(fill_begins({on(legacy_stream, fills)}));
  const RecordedGraphLaunch both{{{some, {}}, {RecordedLaunch{}, {}}}};
  EXPECT_FALSE(fill_begins({on(legacy_stream, both)}));
}

}  // namespace
}  // namespace robust_kbench
