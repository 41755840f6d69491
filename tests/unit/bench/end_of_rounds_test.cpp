#include "bench/end_of_rounds.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using std::chrono::seconds;

// Two subjects with two workers each. The test sets the time.
class EndOfRounds : public testing::Test {
 protected:
  EndOfRounds() {
    m_options.min_samples = 2;
    m_options.target_interval = 0.01;
    m_options.cap = seconds{10};
  }

  // Gives each worker of the subject one more sample.
  void give(std::size_t subject, double first_us, double second_us) {
    m_subjects[subject].samples[0].push_back(first_us);
    m_subjects[subject].samples[1].push_back(second_us);
  }

  [[nodiscard]] std::optional<StopReason> after(seconds elapsed) const {
    return end_of_rounds(m_subjects, m_options, elapsed);
  }

  RunSubject m_kernel{.name = "kernel", .workers = {nullptr, nullptr}};
  RunSubject m_eager{.name = "eager", .trusted = true, .workers = {nullptr, nullptr}};
  std::vector<SubjectSamples> m_subjects{SubjectSamples(m_kernel), SubjectSamples(m_eager)};
  BenchOptions m_options;
};

TEST_F(EndOfRounds, ComesAtOnceWhereAllIntervalsAreNarrow) {
  for (int i = 0; i < 2; ++i) {
    give(0, 10, 10);
    EXPECT_EQ(after(seconds{0}), std::nullopt);
    give(1, 20, 20);
  }
  EXPECT_EQ(after(seconds{0}), StopReason::interval);
}

TEST_F(EndOfRounds, ComesAtTheCapWhereOneIsWide) {
  give(0, 10, 10);
  give(0, 10, 10);
  give(1, 20, 24);
  give(1, 22, 26);
  EXPECT_EQ(after(seconds{9}), std::nullopt);
  EXPECT_EQ(after(seconds{10}), StopReason::cap);
}

TEST_F(EndOfRounds, DoesNotComeBeforeTheLeastSamples) {
  give(0, 10, 10);
  give(1, 20, 20);
  EXPECT_EQ(after(seconds{1000}), std::nullopt);
  EXPECT_FALSE(have_least_samples(m_subjects, m_options));
  give(0, 10, 10);
  give(1, 20, 20);
  EXPECT_TRUE(have_least_samples(m_subjects, m_options));
}

TEST_F(EndOfRounds, ComesWhereOnlyTheWorkersDiffer) {
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(after(seconds{0}), std::nullopt);
    give(0, 10, 10);
    give(1, 20, 30);
  }
  EXPECT_EQ(after(seconds{0}), StopReason::workers);
}

TEST_F(EndOfRounds, DoesNotWaitForSubjectsThatAreOut) {
  give(0, 10, 10);
  give(0, 10, 10);
  EXPECT_EQ(after(seconds{20}), std::nullopt);
  m_subjects[1].rejection = Judgement{.verdict = Verdict::crash, .reason = ""};
  EXPECT_EQ(after(seconds{20}), StopReason::interval);
  m_subjects[1].rejection.reset();
  m_subjects[1].pace = Pace::too_slow;
  EXPECT_EQ(after(seconds{20}), StopReason::interval);
}

}  // namespace
}  // namespace robust_kbench
