#include "replay/replay_time.hpp"

#include "adding_task.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

// The time of a replayer that follows a script, or what was found.
ReplayTime time_of(const std::string& script, double own_us = 1) {
  const Task task = adding_task();
  const Workload workload{task, Direction::forward, task.defaults};
  WorkerOptions options{.program = ADDING_REPLAYER, .arguments = {}};
  options.arena_bytes = std::size_t{16} << 20;
  options.limits.call_timeout = std::chrono::seconds{60};
  WorkerProcess replayer(options);
  answer_of(replayer.load({.library = script, .entry = ""}));
  CallSource source(workload, 7);
  Referee referee(workload, std::vector<PrecisionLimits>(1));
  return time_replay(replayer, workload, source, referee, 6, own_us);
}

Judgement finding_of(const std::string& script) {
  try {
    time_of(script);
  } catch (const Rejection& rejection) {
    return rejection.judgement();
  }
  return passed();
}

TEST(TimeReplay, ComparesAndTimesBatches) {
  const TogetherTime time = time_of("is right").by_clock;
  EXPECT_EQ(time.batches, 15);
  EXPECT_EQ(time.calls, 6);
  EXPECT_LE(time.low_us, time.us);
  EXPECT_LE(time.us, time.high_us);
}

TEST(TimeReplay, TakesFewerCallsWhereTheyAreLong) {
  const TogetherTime time = time_of("is right", 2500).by_clock;
  EXPECT_EQ(time.calls, 2);
  EXPECT_EQ(time.batches, 30);
}

TEST(TimeReplay, RejectsOutputsThatAreWrongInTimedBatchesAlone) {
  const Judgement wrong = finding_of("is wrong together");
  EXPECT_EQ(wrong.verdict, Verdict::wrong_result);
  EXPECT_THAT(wrong.reason, HasSubstr("replayed without its host code: "));
}

TEST(TimeReplay, RejectsWorkThatIsMissing) {
  EXPECT_FALSE(finding_of("does nothing together").passes());
}

TEST(TimeReplay, InspectsTheArena) {
  const Judgement found = finding_of("writes past its output");
  EXPECT_EQ(found.verdict, Verdict::cheat) << found.reason;
}

}  // namespace
}  // namespace robust_kbench
