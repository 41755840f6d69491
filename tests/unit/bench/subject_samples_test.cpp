#include "bench/subject_samples.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// A batch of one call, timed by events of the GPU.
BatchClock batch_of(std::uint64_t call_ns) {
  return {
      .wall_ns = 100'000 + call_ns, .noop_ns = 100'000, .claimed_ns = {call_ns}, .on_gpu = true};
}

constexpr double agreement = 0.05;

SubjectResult result_of(SubjectSamples& subject) {
  subject.account(ExpectedDiscrepancy{}, agreement);
  return subject.result(StopReason::cap);
}

class SubjectSamplesTest : public testing::Test {
 protected:
  // Each worker's calls take the time in `of_workers` and, in turns, 10 ns more and less.
  SubjectSamples subject_of(const std::vector<std::uint64_t>& of_workers, int rounds) {
    m_run_subject.workers.assign(of_workers.size(), nullptr);
    SubjectSamples subject(m_run_subject);
    for (int round = 0; round < rounds; ++round) {
      for (std::size_t i = 0; i < of_workers.size(); ++i) {
        subject.add(i, batch_of(of_workers[i] + (round % 2 == 0 ? 10 : -10)));
      }
    }
    return subject;
  }

  RunSubject m_run_subject;
};

TEST_F(SubjectSamplesTest, IsSampledWhenEachWorkerIs) {
  SubjectSamples subject = subject_of({10'000, 10'000}, 6);
  EXPECT_TRUE(subject.sampled(6));
  subject.add(0, batch_of(10'000));
  EXPECT_FALSE(subject.sampled(7));
  subject.add(1, batch_of(10'000));
  EXPECT_TRUE(subject.sampled(7));
}

TEST_F(SubjectSamplesTest, IsSampledWhenItCanBeJudged) {
  EXPECT_FALSE(subject_of({10'000, 10'000}, 4).sampled(4)) << "8 batches are too few for a verdict";
  EXPECT_TRUE(subject_of({10'000, 10'000}, 5).sampled(4));
  m_run_subject.trusted = true;
  EXPECT_TRUE(subject_of({10'000, 10'000}, 4).sampled(4));
}

TEST_F(SubjectSamplesTest, SettlesWhereItIsTheWorkersThatDiffer) {
  const std::vector<std::uint64_t> apart{10'000, 10'100, 10'200, 10'300, 10'400};
  EXPECT_TRUE(subject_of(apart, 8).settled());
  EXPECT_FALSE(subject_of(apart, 7).settled()) << "too few samples to say so";
  EXPECT_FALSE(subject_of({10'000, 10'001, 10'000, 10'001, 10'000}, 8).settled());
}

// A batch of 40 calls that take `us` together by the broker's clock, and claim these spans.
BatchClock batch_claiming_spans(std::vector<std::uint64_t> claimed_ns, std::uint64_t us) {
  return {.wall_ns = 2'000'000 + 1000 * us,
          .noop_ns = 2'000'000,
          .claimed_ns = std::move(claimed_ns),
          .on_gpu = true};
}

// A batch of 40 calls of 10 us, of which one takes `longest_us`.
BatchClock batch_with(std::uint64_t longest_us) {
  std::vector<std::uint64_t> claimed_ns(40, 10'000);
  claimed_ns.front() = 1000 * longest_us;
  return batch_claiming_spans(std::move(claimed_ns), 390 + longest_us);
}

TEST_F(SubjectSamplesTest, AnInterruptedBatchIsNotCounted) {
  SubjectSamples subject = subject_of({10'000, 10'000, 10'000, 10'000, 10'000}, 3);
  subject.add(0, batch_with(1000));
  EXPECT_NEAR(result_of(subject).timing.ci_high_us, 10, 0.03);
}

TEST_F(SubjectSamplesTest, ACallThatDoesTheWorkOfABatchIsCounted) {
  m_run_subject.workers.assign(5, nullptr);
  SubjectSamples subject(m_run_subject);
  for (int i = 0; i < 15; ++i) subject.add(i % 5, batch_with(410));
  EXPECT_EQ(center(subject.samples), 10);
  EXPECT_DOUBLE_EQ(result_of(subject).timing.median_us, 20);
}

TEST_F(SubjectSamplesTest, ABusyMachinesLateCallsAreNotCounted) {
  m_run_subject.workers.assign(5, nullptr);
  SubjectSamples subject(m_run_subject);
  for (int i = 0; i < 20; ++i) subject.add(i % 5, i < 15 ? batch_with(50) : batch_of(10'000));
  EXPECT_DOUBLE_EQ(result_of(subject).timing.median_us, 10);
}

// Each worker has two batches in which one call does the others' work. They take 20 us a call and
// look like 10 us. Its other two batches are honest.
TEST_F(SubjectSamplesTest, ACallThatDoesTheWorkOfABatchIsCountedThoughOtherBatchesAreHonest) {
  m_run_subject.workers.assign(5, nullptr);
  SubjectSamples subject(m_run_subject);
  for (int i = 0; i < 20; ++i) subject.add(i % 5, i < 10 ? batch_with(410) : batch_of(20'000));
  EXPECT_DOUBLE_EQ(result_of(subject).timing.median_us, 20);
}

TEST_F(SubjectSamplesTest, ABaselinesLateCallsAreNotCounted) {
  m_run_subject.workers.assign(5, nullptr);
  m_run_subject.trusted = true;
  SubjectSamples subject(m_run_subject);
  for (int i = 0; i < 15; ++i) subject.add(i % 5, batch_with(410));
  EXPECT_DOUBLE_EQ(result_of(subject).timing.median_us, 10);
}

// Otherwise a kernel that defers its work in only some workers would show half of it.
TEST_F(SubjectSamplesTest, EachWorkerHasAnUnderstatementOfItsOwn) {
  m_run_subject.workers.assign(5, nullptr);
  SubjectSamples subject(m_run_subject);
  for (int i = 0; i < 15; ++i) subject.add(i % 5, i % 5 < 2 ? batch_with(410) : batch_of(20'000));
  const TimingRecord timing = result_of(subject).timing;
  EXPECT_THAT(timing.understated_us, testing::ElementsAre(10, 10, 0, 0, 0));
  EXPECT_NEAR(timing.ci_low_us, 20, 1e-9);
  EXPECT_NEAR(timing.ci_high_us, 20, 1e-9);
  EXPECT_TRUE(subject.narrow(0.001));
}

// A batch of 40 calls of 20 us that claim a nanosecond each.
BatchClock batch_of_tiny_claims() {
  return batch_claiming_spans(std::vector<std::uint64_t>(40, 1), 800);
}

TEST_F(SubjectSamplesTest, TimeHiddenInSomeWorkersIsCounted) {
  m_run_subject.workers.assign(5, nullptr);
  SubjectSamples subject(m_run_subject);
  for (int i = 0; i < 20; ++i)
    subject.add(i % 5, i % 5 < 2 ? batch_of_tiny_claims() : batch_of(20'000));
  const TimingRecord timing = result_of(subject).timing;
  EXPECT_NEAR(timing.ci_low_us, 20, 0.01);
  EXPECT_NEAR(timing.ci_high_us, 20, 0.01);
}

// Each worker has four batches. One hides all of its time, two hide it in one call and one is
// honest.
TEST_F(SubjectSamplesTest, TimeHiddenInOneWayOrAnotherIsCounted) {
  m_run_subject.workers.assign(5, nullptr);
  SubjectSamples subject(m_run_subject);
  for (int i = 0; i < 20; ++i) {
    if (i < 5) {
      subject.add(i % 5, batch_of_tiny_claims());
    } else {
      subject.add(i % 5, i < 15 ? batch_with(410) : batch_of(20'000));
    }
  }
  EXPECT_NEAR(result_of(subject).timing.median_us, 20, 0.01);
}

// A discrepancy that baselines show as well comes from the machine.
TEST_F(SubjectSamplesTest, ExpectedDiscrepancyIsNotCounted) {
  m_run_subject.workers.assign(5, nullptr);
  std::vector<SubjectSamples> subjects{SubjectSamples(m_run_subject),
                                       SubjectSamples(m_run_subject)};
  RunSubject baseline = m_run_subject;
  baseline.trusted = true;
  subjects[1].run_subject = &baseline;
  for (int i = 0; i < 20; ++i) {
    for (SubjectSamples& subject : subjects)
      subject.add(i % 5, batch_claiming_spans(std::vector<std::uint64_t>(40, 10'000), 800));
  }
  subjects[0].account(expected_discrepancy(subjects), agreement);
  EXPECT_DOUBLE_EQ(subjects[0].result(StopReason::cap).timing.median_us, 10);
  subjects[0].account(ExpectedDiscrepancy{}, agreement);
  EXPECT_DOUBLE_EQ(subjects[0].result(StopReason::cap).timing.median_us, 20);
}

TEST_F(SubjectSamplesTest, AReplayedKernelsSpansAreLeftToItsReplay) {
  for (const bool replayed : {false, true}) {
    m_run_subject.replayed = replayed;
    SubjectSamples subject = subject_of({10'000, 10'000}, 0);
    for (int round = 0; round < 5; ++round) {
      for (const std::size_t worker : {0, 1}) {
        subject.add(worker, batch_claiming_spans(std::vector<std::uint64_t>(40, 10'000), 4000));
      }
    }
    subject.false_spans = contradicted_spans(subject, ExpectedDiscrepancy{}, agreement);
    ASSERT_TRUE(subject.false_spans) << "40 calls that claim 400 us took 4000 us";
    if (!replayed) subject.false_spans.reset();
    const SubjectResult result = result_of(subject);
    EXPECT_EQ(result.false_spans.has_value(), replayed);
    EXPECT_NEAR(result.timing.median_us, replayed ? 10 : 100, 0.1);
  }
}

}  // namespace
}  // namespace robust_kbench
