#include "bench/bench.hpp"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <string>
#include <utility>

#include "bench/kernel_timer.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "doubling_task.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ::testing::HasSubstr;

class Bench : public ::testing::Test {
 protected:
  Bench() {
    m_manifest.toolchain.worker = TEST_WORKER;
    m_manifest.toolchain.baseline_command = {TEST_WORKER, "baseline"};
    m_options.threads = 1;
    m_options.workers = 2;
    m_options.target_interval = infinity;  // any interval is narrow enough
  }

  BenchResult bench_mode(const std::string& mode, Direction direction = Direction::forward) {
    KernelTimer timer(m_manifest, m_task, {m_task.name, direction}, Device::cpu, m_configs,
                      {{"kernel", mode}}, m_options);
    return bench(timer, m_configs, m_options);
  }

  // Only a rejection ends the measurement, however long that takes.
  void measure_until_rejected() { m_options.min_samples = 1'000'000; }

  static constexpr double infinity = std::numeric_limits<double>::infinity();

  Manifest m_manifest;
  Task m_task = doubling_task();
  std::vector<Config> m_configs{{.name = "small/size_1000", .params = m_task.defaults}};
  BenchOptions m_options;
};

TEST_F(Bench, TimesKernelAndEagerInWorkersOfTheirOwn) {
  m_manifest.toolchain.baseline_command = {TEST_BASELINE};
  const BenchResult result = bench_mode("honest");
  EXPECT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
  ASSERT_EQ(result.timings.size(), 1U);
  const ConfigTimingRecord& config = result.timings[0];
  EXPECT_EQ(config.config, "small/size_1000");
  EXPECT_FALSE(config.roofline) << "of a GPU alone";
  ASSERT_EQ(config.subjects.size(), 2U);
  EXPECT_EQ(config.subjects[0].subject, "kernel");
  EXPECT_EQ(config.subjects[1].subject, "eager");
  for (const TimingRecord& timing : config.subjects) {
    EXPECT_EQ(timing.workers, 2);
    EXPECT_EQ(timing.samples_us.size(), 2U);
    EXPECT_GE(timing.samples, 4);
    EXPECT_LE(timing.ci_low_us, timing.median_us);
    EXPECT_GE(timing.ci_high_us, timing.median_us);
  }
  EXPECT_GE(config.subjects[0].verified_calls, 2);  // one of each worker
  // A call takes at least 200 us, even on a busy machine.
  EXPECT_GE(config.subjects[0].median_us, 190);
  ASSERT_EQ(config.speedups.size(), 1U);
  EXPECT_EQ(config.speedups[0].against, "eager");
  EXPECT_DOUBLE_EQ(config.speedups[0].ratio,
                   config.subjects[1].median_us / config.subjects[0].median_us);
}

TEST_F(Bench, TimesBackward) {
  m_manifest.toolchain.baseline_command = {TEST_BASELINE};
  const BenchResult result = bench_mode("honest", Direction::backward);
  EXPECT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
  ASSERT_EQ(result.timings.size(), 1U);
  EXPECT_EQ(result.timings[0].subjects.size(), 2U);
}

// The test does not depend on how busy the machine is.
TEST_F(Bench, JudgesAConfigByTheSamplesOfItsRecord) {
  const BenchResult result = bench_mode("slow");
  ASSERT_EQ(result.timings.size(), 1U) << result.judgement.reason;
  const ConfigTimingRecord& config = result.timings[0];
  EXPECT_GE(config.subjects.at(0).median_us, 1900) << "a call takes 2 ms of a processor";
  const SpeedupRecord again = speedup(config.subjects.at(0), config.subjects.at(1),
                                      m_options.same_within, config.disturbance);
  const SpeedupRecord& recorded = config.speedups.at(0);
  EXPECT_EQ(recorded.call, again.call);
  EXPECT_EQ(recorded.doubt, again.doubt);
  EXPECT_DOUBLE_EQ(recorded.ci_high, again.ci_high);
}

TEST_F(Bench, MeasuresEveryConfigWithTheSameWorkers) {
  m_configs.push_back({.name = "small/size_17", .params = {{"size", std::int64_t{17}}}});
  const BenchResult result = bench_mode("honest");
  ASSERT_EQ(result.timings.size(), 2U);
  EXPECT_EQ(result.timings[1].config, "small/size_17");
  ASSERT_EQ(result.mean_speedups.size(), 1U);
  const double product =
      result.timings[0].speedups.at(0).ratio * result.timings[1].speedups.at(0).ratio;
  // A mean of logarithms rounds differently from a root.
  EXPECT_NEAR(result.mean_speedups[0].ratio / std::sqrt(product), 1.0, 1e-12);
}

// EndOfRounds tests when rounds end. This tests that the reason is recorded.
TEST_F(Bench, RecordsWhyItStopped) {
  m_options.cap = std::chrono::hours(1);
  EXPECT_EQ(bench_mode("honest").timings.at(0).subjects.at(0).stopped_by, StopReason::interval);
  m_options.target_interval = 0;
  m_options.cap = std::chrono::milliseconds(0);
  EXPECT_EQ(bench_mode("honest").timings.at(0).subjects.at(0).stopped_by, StopReason::cap);
}

// The options make every call count as slow.
TEST_F(Bench, TimesSlowKernelsWithFewCalls) {
  m_options.workers = 5;
  m_options.pace = {.slow_call = std::chrono::seconds{0}, .times_the_quickest = 0};
  const BenchResult result = bench_mode("honest");
  EXPECT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
  EXPECT_THAT(result.note, HasSubstr("small/size_1000: timed with few calls, since a call took"));
  const ConfigTimingRecord& config = result.timings.at(0);
  EXPECT_EQ(config.subjects.at(0).workers, 3);
  EXPECT_EQ(config.subjects.at(1).workers, 5);
  EXPECT_EQ(config.speedups.size(), 1U);
}

TEST_F(Bench, PassesAKernelThatIsTooSlowToTime) {
  m_options.pace = {.slow_call = std::chrono::seconds{0},
                    .times_the_quickest = 0,
                    .config_time = std::chrono::seconds{0}};
  m_configs.push_back({.name = "small/size_17", .params = {{"size", std::int64_t{17}}}});
  BenchResult result = bench_mode("honest");
  EXPECT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
  EXPECT_TRUE(result.timings.empty());
  EXPECT_THAT(result.note, HasSubstr("small/size_17: too slow to time, since a call took"));
  m_options.pace.all_configs_time = std::chrono::seconds{0};
  result = bench_mode("honest");
  EXPECT_THAT(result.note, HasSubstr("one more config was left out"));
}

TEST_F(Bench, TakesTheLeastSamplesWhateverTheCap) {
  m_options.target_interval = 0;
  m_options.cap = std::chrono::milliseconds(1);
  m_options.min_samples = 5;
  std::vector<std::size_t> samples;
  const BenchResult result = bench_mode("honest");
  for (const TimingRecord& timing : result.timings.at(0).subjects) {
    for (const auto& worker : timing.samples_us) samples.push_back(worker.size());
  }
  // If a worker loses a batch to an interruption, the others get more samples.
  EXPECT_EQ(*std::min_element(samples.begin(), samples.end()), 5U);
}

TEST_F(Bench, HasNoMoreCallsInABatchThanThereIsMemoryFor) {
  const BenchResult result = bench_mode("needs much memory");
  EXPECT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
}

TEST_F(Bench, CatchesClaimsThatTheBrokersClockContradicts) {
  for (const char* mode : {"claims nothing", "claims double"}) {
    const BenchResult result = bench_mode(mode);
    EXPECT_EQ(result.judgement.verdict, Verdict::cheat) << mode;
    EXPECT_EQ(result.judgement.cheat_class, CheatClass::timing)
        << mode << ": " << result.judgement.reason;
    EXPECT_TRUE(result.timings.empty());
  }
}

TEST_F(Bench, AccusesNobodyForOneInterruption) {
  const BenchResult result = bench_mode("is interrupted once");
  EXPECT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
}

TEST_F(Bench, RejectsWhatGoesWrongOnlyWhileTiming) {
  EXPECT_EQ(bench_mode("wrong when timed").judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(bench_mode("crashes when timed").judgement.verdict, Verdict::crash);
  const BenchResult mutation = bench_mode("writes its input");
  EXPECT_EQ(mutation.judgement.verdict, Verdict::cheat);
  EXPECT_EQ(mutation.judgement.cheat_class, CheatClass::input_mutation)
      << mutation.judgement.reason;
}

// Chance decides whether a deferred call is inspected when it returns, or is the last of its batch.
// Either shows the cheat, so it takes some batches to be sure.
TEST_F(Bench, RejectsAKernelThatDoesACallsWorkInTheNext) {
  measure_until_rejected();
  const BenchResult result = bench_mode("puts calls off");
  EXPECT_FALSE(result.judgement.passes());
  EXPECT_THAT(result.judgement.reason, AnyOf(HasSubstr("left output 0 unwritten"),
                                             HasSubstr("after that call had returned")));
}

TEST_F(Bench, CountsWhatCouldBeDoneBeforeTheClockRuns) {
  const BenchResult result = bench_mode("works ahead");
  ASSERT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
  EXPECT_GE(result.timings.at(0).subjects.at(0).median_us, 190);
}

TEST_F(Bench, CountsTheTimeOfACallAloneWhereItIsLonger) {
  m_manifest.toolchain.baseline_command = {TEST_BASELINE};
  const BenchResult result = bench_mode("is helped within a batch");
  ASSERT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
  EXPECT_GE(result.timings.at(0).subjects.at(0).median_us, 1200)
      << "a call takes 1 ms in a batch, and 2 ms alone";
}

// The kernel returns content that it recognises at once, and works for 200 us of processor time
// otherwise.
TEST_F(Bench, GivesNothingForRememberingEarlierCalls) {
  Task kinked = m_task;
  kinked.near_kink = [](const Tensors& tensors, const Params&) {
    return tensors["x"].abs().lt(0.01);
  };
  kinked.backward_contract->arguments = [](const Params&) {
    return std::vector{tensor("grad_output"), tensor("x")};
  };
  for (const char* by : {"fingerprint", "windows", "prefix sums", "pointer"}) {
    for (const auto& [task, direction] :
         {std::pair{doubling_task(), Direction::forward}, std::pair{kinked, Direction::backward}}) {
      m_task = task;
      const BenchResult result = bench_mode(std::string("remembers by ") + by, direction);
      ASSERT_EQ(result.judgement.verdict, Verdict::pass) << by << ": " << result.judgement.reason;
      EXPECT_GE(result.timings.at(0).subjects.at(0).median_us, 190) << by;
    }
  }
}

// Each of the two workers has at least one call compared: one the last of its batch, the other any
// other.
TEST_F(Bench, ComparesLastCallsAndOthers) {
  for (const char* mode : {"errs in last calls", "errs in other calls"}) {
    const BenchResult result = bench_mode(mode);
    EXPECT_EQ(result.judgement.verdict, Verdict::wrong_result) << mode;
  }
}

TEST_F(Bench, RejectsAKernelWithAProcessThatIsNotStopped) {
  measure_until_rejected();
  EXPECT_EQ(bench_mode("has a process work ahead").judgement.cheat_class, CheatClass::left_process);
}

TEST_F(Bench, RejectsAKernelThatSkipsACallOfABatch) {
  const BenchResult result = bench_mode("skips the second call");
  EXPECT_EQ(result.judgement.verdict, Verdict::wrong_result) << result.judgement.reason;
  EXPECT_THAT(result.judgement.reason, HasSubstr("call 1 of "));
}

TEST_F(Bench, RejectsAKernelThatIsDoneOnlyAfterTheReturn) {
  const BenchResult result = bench_mode("is done soon");
  EXPECT_EQ(result.judgement.verdict, Verdict::cheat) << result.judgement.reason;
  EXPECT_EQ(result.judgement.cheat_class, CheatClass::late_write) << result.judgement.reason;
}

TEST_F(Bench, RejectsAKernelThatWorksOnlyWhenAskedForResults) {
  const BenchResult result = bench_mode("does all but the last call when asked");
  EXPECT_EQ(result.judgement.verdict, Verdict::cheat) << result.judgement.reason;
  EXPECT_EQ(result.judgement.cheat_class, CheatClass::late_write) << result.judgement.reason;
}

TEST_F(Bench, RejectsAKernelThatReturnsAnotherCallsOutputs) {
  const BenchResult result = bench_mode("returns the first output twice");
  EXPECT_EQ(result.judgement.verdict, Verdict::wrong_result) << result.judgement.reason;
  EXPECT_THAT(result.judgement.reason, HasSubstr("returned memory of the outputs of call 0"));
}

// On a busy machine the kernel may get little of a processor in any one pause.
TEST_F(Bench, RejectsAKernelThatRunsWhileOthersAreTimed) {
  measure_until_rejected();
  const BenchResult result = bench_mode("goes on");
  EXPECT_EQ(result.judgement.cheat_class, CheatClass::timing) << result.judgement.reason;
  EXPECT_THAT(result.judgement.reason, HasSubstr("while it was stopped"));
}

TEST_F(Bench, RejectsAKernelThatLeavesAProcessWhileTiming) {
  const BenchResult result = bench_mode("leaves a process when timed");
  EXPECT_EQ(result.judgement.cheat_class, CheatClass::left_process) << result.judgement.reason;
}

TEST_F(Bench, JoinsOneKernelAfterAnotherToTheSameBaselines) {
  KernelTimer timer(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu, m_configs,
                    {}, m_options);
  const auto bench_in_turn = [&](const std::string& mode) {
    const KernelTimer::Turn turn(timer, {{"kernel", mode}});
    return bench(timer, m_configs, m_options);
  };
  EXPECT_EQ(bench_in_turn("honest").judgement.verdict, Verdict::pass);
  EXPECT_EQ(bench_in_turn("wrong when timed").judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(bench_in_turn("honest").timings.size(), 1U);
}

TEST_F(Bench, RacesTheKernelAgainstItsRivals) {
  KernelTimer timer(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu, m_configs,
                    {}, m_options, 3);
  const KernelTimer::Turn turn(
      timer, {{"kernel", "honest"}, {"good", "honest"}, {"bad", "wrong when timed"}});
  BenchResult result = bench(timer, m_configs, m_options);
  EXPECT_EQ(result.judgement.verdict, Verdict::pass) << result.judgement.reason;
  ASSERT_EQ(result.timings.size(), 1U);
  const ConfigTimingRecord& config = result.timings.front();
  ASSERT_EQ(config.speedups.size(), 2U);
  EXPECT_EQ(config.speedups[0].against, "good");
  EXPECT_EQ(config.subjects.at(1).subject, "good");
  EXPECT_DOUBLE_EQ(config.speedups[0].ratio,
                   config.subjects[1].median_us / config.subjects[0].median_us);
  EXPECT_EQ(config.speedups[1].against, "eager");
  ASSERT_EQ(result.mean_speedups.size(), 2U);
  EXPECT_EQ(result.mean_speedups[0].against, "good");
  EXPECT_EQ(result.rejected_rivals.at("bad").verdict, Verdict::wrong_result);

  result = bench(timer, m_configs, m_options, {.baselines = false});
  ASSERT_EQ(result.timings.at(0).speedups.size(), 1U);
  EXPECT_EQ(result.timings[0].speedups[0].against, "good");
}

TEST_F(Bench, TimesSeveralKernelsTogetherAgainstOneRival) {
  m_configs.push_back({.name = "small/size_17", .params = {{"size", std::int64_t{17}}}});
  KernelTimer timer(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu, m_configs,
                    {}, m_options, 2);
  const KernelTimer::Turn turn(timer, {{"kernel", "honest"},
                                       {"kernel", "wrong when timed"},
                                       {"kernel", "slow"},
                                       {"parent", "honest"}});
  const auto once = [](const std::vector<ConfigTimingRecord>&) { return false; };
  const std::vector<BenchResult> results = bench_together(
      timer, m_configs, m_options,
      {{.baselines = false}, {.baselines = false}, {.baselines = false, .goes_on = once}});
  ASSERT_EQ(results.size(), 3U);
  EXPECT_EQ(results[0].judgement.verdict, Verdict::pass) << results[0].judgement.reason;
  EXPECT_EQ(results[0].timings.size(), 2U);
  EXPECT_EQ(results[1].judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(results[1].timings, ::testing::IsEmpty());
  EXPECT_EQ(results[2].judgement.verdict, Verdict::pass) << results[2].judgement.reason;
  ASSERT_EQ(results[2].timings.size(), 1U) << "it left the race after the first config";
  for (const std::size_t i : {0, 2}) {
    const ConfigTimingRecord& config = results[i].timings.front();
    ASSERT_EQ(config.subjects.size(), 2U);
    EXPECT_EQ(config.subjects[1].subject, "parent");
    EXPECT_EQ(config.subjects[1].samples_us, results[0].timings.front().subjects[1].samples_us);
    EXPECT_DOUBLE_EQ(config.speedups.at(0).ratio,
                     config.subjects[1].median_us / config.subjects[0].median_us);
  }
}

TEST_F(Bench, TimesAllInAsManyWorkersAsTheKernelsHave) {
  m_options.workers = 3;
  KernelTimer timer(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu, m_configs,
                    {}, m_options, 2);
  const auto workers_of = [&](int max_workers) {
    const KernelTimer::Turn turn(
        timer, {{.name = "kernel", .library = "honest", .max_workers = max_workers},
                {.name = "rival", .library = "honest", .max_workers = max_workers}});
    std::vector<int> workers;
    for (const TimingRecord& subject : bench(timer, m_configs, m_options).timings.at(0).subjects) {
      workers.push_back(subject.workers);
    }
    return workers;
  };
  EXPECT_THAT(workers_of(2), ::testing::ElementsAre(2, 2, 2));
  EXPECT_THAT(workers_of(4), ::testing::ElementsAre(3, 3, 3));
  EXPECT_THAT(workers_of(0), ::testing::ElementsAre(3, 3, 3));
}

TEST_F(Bench, GoesOnAfterARest) {
  KernelTimer timer(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu, m_configs,
                    {}, m_options);
  for (int i = 0; i < 2; ++i) {
    {
      const KernelTimer::Turn turn(timer, {{"kernel", "honest"}});
      EXPECT_EQ(bench(timer, m_configs, m_options).timings.at(0).subjects.size(), 2U);
    }
    timer.rest();
  }
}

TEST_F(Bench, EndsATurnThatIsCancelled) {
  KernelTimer timer(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu, m_configs,
                    {}, m_options);
  {
    std::stop_source stop;
    const KernelTimer::Turn turn(timer, {{"kernel", "honest"}}, stop.get_token());
    stop.request_stop();
    EXPECT_THROW((void)bench(timer, m_configs, m_options), Cancelled);
  }
  const KernelTimer::Turn turn(timer, {{"kernel", "honest"}});
  EXPECT_EQ(bench(timer, m_configs, m_options).judgement.verdict, Verdict::pass);
}

TEST_F(Bench, TimesAKilledKernelOnceMore) {
  const TemporaryDirectory directory("killed");
  const std::string kills = directory.path() / "kills";
  EXPECT_EQ(bench_mode("is killed once, see " + kills).judgement.verdict, Verdict::pass);
  EXPECT_EQ(std::filesystem::file_size(kills), 1U);
  const BenchResult result = bench_mode("is killed, see " + kills);
  EXPECT_EQ(result.judgement.verdict, Verdict::out_of_memory);
  EXPECT_THAT(result.judgement.reason, HasSubstr("killed by SIGKILL"));
}

TEST_F(Bench, ReportsWhatTheKernelSaid) {
  const BenchResult thrown = bench_mode("throws");
  EXPECT_EQ(thrown.judgement.verdict, Verdict::exception);
  EXPECT_THAT(thrown.judgement.reason, HasSubstr("I do not want to"));
  EXPECT_EQ(bench_mode("unloadable").judgement.verdict, Verdict::load_error);
}

TEST_F(Bench, BlamesTheHarnessForAFailingBaseline) {
  const auto failure_of = [&](std::vector<std::string> command) -> std::string {
    m_manifest.toolchain.baseline_command = std::move(command);
    try {
      (void)bench_mode("honest");
    } catch (const HarnessError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(
      failure_of({"/bin/false"}),
      "baseline 'eager': the worker cannot start: the worker exited with code 1 while it started");
  EXPECT_EQ(failure_of({TEST_WORKER, "failing baseline"}),
            "baseline 'eager': it threw: torch cannot");
}

TEST_F(Bench, RacesSeveralKernelsAndDropsTheRejected) {
  KernelTimer timer(m_manifest, m_task, {m_task.name, Direction::forward}, Device::cpu, m_configs,
                    {{"good", "honest"}, {"bad", "wrong when timed"}}, m_options);
  for (int i = 0; i < 2; ++i) {
    const ConfigTimings timings = timer.measure(m_configs[0]);
    ASSERT_EQ(timings.kernels.size(), 2U);
    EXPECT_FALSE(timings.kernels[0].rejection);
    EXPECT_EQ(timings.kernels[0].timing.subject, "good");
    ASSERT_TRUE(timings.kernels[1].rejection);
    EXPECT_EQ(timings.kernels[1].timing.subject, "bad");
    EXPECT_EQ(timings.kernels[1].rejection->verdict, Verdict::wrong_result);
    ASSERT_EQ(timings.baselines.size(), 1U);
  }
}

}  // namespace
}  // namespace robust_kbench
