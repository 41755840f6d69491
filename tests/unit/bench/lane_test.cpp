#include "bench/lane.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// A batch of one call, by events of the GPU.
BatchClock batch_of(std::uint64_t call_ns) {
  return {
      .wall_ns = 100'000 + call_ns, .noop_ns = 100'000, .claimed_ns = {call_ns}, .on_gpu = true};
}

constexpr double agreement = 0.05;

RaceResult result_of(Lane& lane) {
  lane.account(UsualExcess{}, agreement);
  return lane.result(StopReason::cap);
}

class LaneTest : public testing::Test {
 protected:
  // Each worker's calls take `of_workers` and, in turns, 10 ns more and less.
  Lane lane_of(const std::vector<std::uint64_t>& of_workers, int rounds) {
    m_racer.workers.assign(of_workers.size(), nullptr);
    Lane lane(m_racer);
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < of_workers.size(); ++i) {
        lane.add(i, batch_of(of_workers[i] + (round % 2 == 0 ? 10 : -10)));
      }
    }
    return lane;
  }

  Racer m_racer;
};

TEST_F(LaneTest, IsSampledWhenEachWorkerIs) {
  Lane lane = lane_of({10'000, 10'000}, 6);
  EXPECT_TRUE(lane.sampled(6));
  lane.add(0, batch_of(10'000));
  EXPECT_FALSE(lane.sampled(7));
  lane.add(1, batch_of(10'000));
  EXPECT_TRUE(lane.sampled(7));
}

TEST_F(LaneTest, IsSampledWhenItCanBeJudged) {
  EXPECT_FALSE(lane_of({10'000, 10'000}, 4).sampled(4)) << "8 batches are too few for a verdict";
  EXPECT_TRUE(lane_of({10'000, 10'000}, 5).sampled(4));
  m_racer.trusted = true;
  EXPECT_TRUE(lane_of({10'000, 10'000}, 4).sampled(4));
}

TEST_F(LaneTest, SettlesWhereItIsTheWorkersThatDiffer) {
  const std::vector<std::uint64_t> apart{10'000, 10'100, 10'200, 10'300, 10'400};
  EXPECT_TRUE(lane_of(apart, 8).settled());
  EXPECT_FALSE(lane_of(apart, 7).settled()) << "too few samples to say so";
  EXPECT_FALSE(lane_of({10'000, 10'001, 10'000, 10'001, 10'000}, 8).settled());
}

// 40 calls that take `us` together by the broker's clock, and claim these spans.
BatchClock batch_claiming(std::vector<std::uint64_t> claimed_ns, std::uint64_t us) {
  return {.wall_ns = 2'000'000 + 1000 * us,
          .noop_ns = 2'000'000,
          .claimed_ns = std::move(claimed_ns),
          .on_gpu = true};
}

// 40 calls of 10 us, of which one takes `longest_us`.
BatchClock batch_with(std::uint64_t longest_us) {
  std::vector<std::uint64_t> claimed_ns(40, 10'000);
  claimed_ns.front() = 1000 * longest_us;
  return batch_claiming(std::move(claimed_ns), 390 + longest_us);
}

TEST_F(LaneTest, AnInterruptedBatchIsNotCounted) {
  Lane lane = lane_of({10'000, 10'000, 10'000, 10'000, 10'000}, 3);
  lane.add(0, batch_with(1000));
  EXPECT_NEAR(result_of(lane).timing.ci_high_us, 10, 0.03);
}

TEST_F(LaneTest, ACallThatDoesTheWorkOfABatchIs) {
  m_racer.workers.assign(5, nullptr);
  Lane lane(m_racer);
  for (int i = 0; i < 15; ++i) lane.add(i % 5, batch_with(410));
  EXPECT_EQ(center(lane.samples), 10);
  EXPECT_DOUBLE_EQ(result_of(lane).timing.median_us, 20);
}

TEST_F(LaneTest, ABusyMachinesLateCallsAreNotCounted) {
  m_racer.workers.assign(5, nullptr);
  Lane lane(m_racer);
  for (int i = 0; i < 20; ++i) lane.add(i % 5, i < 15 ? batch_with(50) : batch_of(10'000));
  EXPECT_DOUBLE_EQ(result_of(lane).timing.median_us, 10);
}

// Of two batches each that take 20 us a call, one looks like 10 us.
TEST_F(LaneTest, ACallThatDoesTheWorkOfABatchIsCountedThoughOtherBatchesAreHonest) {
  m_racer.workers.assign(5, nullptr);
  Lane lane(m_racer);
  for (int i = 0; i < 20; ++i) lane.add(i % 5, i < 10 ? batch_with(410) : batch_of(20'000));
  EXPECT_DOUBLE_EQ(result_of(lane).timing.median_us, 20);
}

TEST_F(LaneTest, ABaselinesLateCallsAreNotCounted) {
  m_racer.workers.assign(5, nullptr);
  m_racer.trusted = true;
  Lane lane(m_racer);
  for (int i = 0; i < 15; ++i) lane.add(i % 5, batch_with(410));
  EXPECT_DOUBLE_EQ(result_of(lane).timing.median_us, 10);
}

// Else a kernel that puts its work off in some workers alone would show half of it.
TEST_F(LaneTest, WhatSamplesUnderstateIsThatOfTheWorker) {
  m_racer.workers.assign(5, nullptr);
  Lane lane(m_racer);
  for (int i = 0; i < 15; ++i) lane.add(i % 5, i % 5 < 2 ? batch_with(410) : batch_of(20'000));
  const TimingRecord timing = result_of(lane).timing;
  EXPECT_THAT(timing.understated_us, testing::ElementsAre(10, 10, 0, 0, 0));
  EXPECT_NEAR(timing.ci_low_us, 20, 1e-9);
  EXPECT_NEAR(timing.ci_high_us, 20, 1e-9);
  EXPECT_TRUE(lane.narrow(0.001));
}

// 40 calls of 20 us that claim a nanosecond each.
BatchClock batch_hiding() {
  return batch_claiming(std::vector<std::uint64_t>(40, 1), 800);
}

TEST_F(LaneTest, TimeHiddenInSomeWorkersIsCounted) {
  m_racer.workers.assign(5, nullptr);
  Lane lane(m_racer);
  for (int i = 0; i < 20; ++i) lane.add(i % 5, i % 5 < 2 ? batch_hiding() : batch_of(20'000));
  const TimingRecord timing = result_of(lane).timing;
  EXPECT_NEAR(timing.ci_low_us, 20, 0.01);
  EXPECT_NEAR(timing.ci_high_us, 20, 0.01);
}

// Of a worker's four batches one hides all of its time, two hide it in one call and one is honest.
TEST_F(LaneTest, TimeHiddenInOneWayOrAnotherIsCounted) {
  m_racer.workers.assign(5, nullptr);
  Lane lane(m_racer);
  for (int i = 0; i < 20; ++i) {
    if (i < 5) {
      lane.add(i % 5, batch_hiding());
    } else {
      lane.add(i % 5, i < 15 ? batch_with(410) : batch_of(20'000));
    }
  }
  EXPECT_NEAR(result_of(lane).timing.median_us, 20, 0.01);
}

// What the broker's clock shows of baselines, too, is the machine's.
TEST_F(LaneTest, UsualExcessIsNotCounted) {
  m_racer.workers.assign(5, nullptr);
  std::vector<Lane> lanes{Lane(m_racer), Lane(m_racer)};
  Racer baseline = m_racer;
  baseline.trusted = true;
  lanes[1].racer = &baseline;
  for (int i = 0; i < 20; ++i) {
    for (Lane& lane : lanes)
      lane.add(i % 5, batch_claiming(std::vector<std::uint64_t>(40, 10'000), 800));
  }
  lanes[0].account(usual_excess(lanes), agreement);
  EXPECT_DOUBLE_EQ(lanes[0].result(StopReason::cap).timing.median_us, 10);
  lanes[0].account(UsualExcess{}, agreement);
  EXPECT_DOUBLE_EQ(lanes[0].result(StopReason::cap).timing.median_us, 20);
}

}  // namespace
}  // namespace robust_kbench
