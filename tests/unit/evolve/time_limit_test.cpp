#include "evolve/time_limit.hpp"

#include "core/cancelled.hpp"
#include "process/temporary_directory.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

class TimeLimitTest : public testing::Test {
 protected:
  TemporaryDirectory m_directory{"time_limit_test"};
  Archive m_archive{m_directory.path() / "archive", Archive::Mode::create};
  const std::string m_run =
      m_archive.begin_run({"adding", Direction::forward}, Device::cpu, 1, {}).id;
  Journal m_journal{m_archive, m_run};
};

TEST_F(TimeLimitTest, BeginsNothingAfterTheEndAndKeepsWhatWasKnown) {
  std::stop_source search;
  TimeLimit limit(m_journal, search, {});
  EXPECT_EQ(limit.once("early", [] { return 1; }), 1);
  limit.watch([] { return 0; }, {.confirmation = 10});
  EXPECT_THROW(limit.once("late", [] { return 2; }), TimeIsOver);
  EXPECT_TRUE(search.stop_requested());
  EXPECT_EQ(limit.once("early", [] { return 3; }), 1);
}

TEST_F(TimeLimitTest, EndsWhatIsUnderWay) {
  std::stop_source search;
  TimeLimit limit(m_journal, search, {});
  std::atomic<bool> over = false;
  limit.watch([&] { return over ? 0 : 60; }, {.confirmation = 10});
  EXPECT_THROW(limit.run("work",
                         [&] {
                           over = true;
                           while (!search.stop_requested()) std::this_thread::yield();
                           throw Cancelled();
                         }),
               TimeIsOver);
}

TEST_F(TimeLimitTest, CutsShortAgainWhatItCutShortBefore) {
  TimeLimit limit(m_journal, {}, {});
  limit.watch([] { return 0; }, {.confirmation = 10});
  EXPECT_THROW(limit.once("late", [] { return 1; }), TimeIsOver);
  TimeLimit later(m_journal, {}, {});
  EXPECT_THROW(later.once("late", [] { return 1; }), TimeIsOver);
}

TEST_F(TimeLimitTest, KeepsTimeToConfirmOnlyWhereAKernelAwaitsIt) {
  std::stop_source search;
  TimeLimit limit(m_journal, search, {});
  limit.watch([] { return 9; }, {.confirmation = 10});
  EXPECT_EQ(limit.once("early", [] { return 1; }), 1);
  EXPECT_FALSE(search.stop_requested());
  limit.keep_time_to_confirm(true);
  EXPECT_THROW(limit.once("late", [] { return 2; }), TimeIsOver);
  EXPECT_TRUE(search.stop_requested());
}

TEST_F(TimeLimitTest, LetsNoKernelWinThatCannotBeConfirmed) {
  TimeLimit limit(m_journal, {}, {});
  std::atomic<double> left = 11;
  limit.watch([&] { return left.load(); }, {.confirmation = 10});
  limit.require_time_to_confirm("early");
  left = 9;
  limit.require_time_to_confirm("early");
  EXPECT_THROW(limit.require_time_to_confirm("late"), TimeIsOver);
  TimeLimit later(m_journal, {}, {});
  EXPECT_THROW(later.require_time_to_confirm("late"), TimeIsOver);
}

TEST_F(TimeLimitTest, EndsFirstRacesWhereOneThatHasWonNeedsTheTime) {
  std::stop_source search;
  std::stop_source first_races;
  TimeLimit limit(m_journal, search, first_races);
  limit.watch([] { return 15; }, {.confirmation = 10, .finishing = 10});
  EXPECT_EQ(limit.once_at_first("early", [] { return 1; }), 1);
  const TimeLimit::Finishing finishing(limit);
  EXPECT_THROW(limit.once_at_first("late", [] { return 2; }), TimeIsOver);
  EXPECT_TRUE(first_races.stop_requested());
  EXPECT_EQ(limit.once("later race", [] { return 3; }), 3);
  EXPECT_FALSE(search.stop_requested());
}

TEST_F(TimeLimitTest, LeavesAnInterruptAsItIs) {
  TimeLimit limit(m_journal, {}, {});
  EXPECT_THROW(limit.run("work", [] { throw Cancelled(); }), Cancelled);
  bool done = false;
  limit.run("work", [&] { done = true; });
  EXPECT_TRUE(done);
}

}  // namespace
}  // namespace robust_kbench
