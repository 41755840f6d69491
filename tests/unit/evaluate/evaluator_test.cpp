#include "evaluate/evaluator.hpp"

#include <atomic>
#include <chrono>
#include <filesystem>
#include <latch>
#include <limits>
#include <memory>
#include <semaphore>
#include <set>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/error.hpp"
#include "process/processes.hpp"
#include "scripted_suite.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr std::size_t tested = 3;  // two configs on one seed, and the sequence

std::vector<std::string> subjects_of(const KernelRecord& record) {
  std::vector<std::string> subjects;
  for (const ConfigTimingRecord& config : record.timings) {
    for (const TimingRecord& timing : config.subjects) subjects.push_back(timing.subject);
  }
  return subjects;
}

std::vector<std::string> rivals_of(const KernelRecord& record) {
  std::vector<std::string> rivals;
  for (const ConfigTimingRecord& config : record.timings) {
    for (const SpeedupRecord& speedup : config.speedups) rivals.push_back(speedup.against);
  }
  return rivals;
}

// This process's workers, once no more than `count` are left. Workers of kernels take a moment to
// end.
std::set<pid_t> workers_left(std::size_t count) {
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::minutes{1};
  while (true) {
    std::set<pid_t> pids;
    for (const Process& process : descendants_of(getpid(), all_processes())) {
      if (process.alive) pids.insert(process.pid);
    }
    if (pids.size() <= count || std::chrono::steady_clock::now() > deadline) return pids;
    std::this_thread::sleep_for(std::chrono::milliseconds{5});
  }
}

// One case and one config, which suffice for most tests here.
Request request() {
  return {.scope = {.only_case = "small/size_17/seed_1", .only_config = "small/size_17"}};
}

// One evaluator serves all tests, as in real use, except tests with other options.
class EvaluatorTest : public testing::Test, public ScriptedSuite {
 protected:
  struct Lasting : ScriptedSuite {
    Evaluator evaluator{m_manifest, m_task, Direction::forward, Device::cpu, m_options};
  };
  static void SetUpTestSuite() { lasting = std::make_unique<Lasting>(); }
  static void TearDownTestSuite() { lasting.reset(); }
  static inline std::unique_ptr<Lasting> lasting;

  static Evaluator& evaluator() { return lasting->evaluator; }

  KernelRecord submit(const std::string& script, const Request& request) {
    return evaluator().submit(kernel(script), request);
  }

  // The stages that end, where the caller ends the submission after `last`.
  std::vector<Stage> stages_of(const std::string& script, Stage last, KernelRecord& record) {
    std::vector<Stage> ended;
    Request asked{.scope = {.seeds = 1}};
    asked.on_stage = [&](Stage stage, const KernelRecord&) {
      ended.push_back(stage);
      return stage == last ? Next::end : Next::go_on;
    };
    record = submit(script, asked);
    return ended;
  }
};

TEST_F(EvaluatorTest, GivesStagesInOrderAndOneRecord) {
  KernelRecord record;
  EXPECT_THAT(stages_of("is right", Stage::time, record),
              ElementsAre(Stage::compile, Stage::test, Stage::time));
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(record.name, "is right");
  ASSERT_EQ(record.cases.size(), tested);
  EXPECT_EQ(record.cases.back().name, sequence_name);
  EXPECT_THAT(subjects_of(record), ElementsAre("kernel", "eager", "kernel", "eager"));
  EXPECT_THAT(rivals_of(record), ElementsAre("eager", "eager"));
}

TEST_F(EvaluatorTest, EndsAfterTheStageThatTheCallerNames) {
  KernelRecord record;
  EXPECT_THAT(stages_of("is right", Stage::compile, record), ElementsAre(Stage::compile));
  EXPECT_EQ(record.judgement.verdict, Verdict::pass);
  EXPECT_THAT(record.cases, IsEmpty());
  EXPECT_THAT(stages_of("is right", Stage::test, record), ElementsAre(Stage::compile, Stage::test));
  EXPECT_EQ(record.cases.size(), tested);
  EXPECT_THAT(record.timings, IsEmpty());
}

TEST_F(EvaluatorTest, EndsAfterTheStageThatRejectsTheKernel) {
  KernelRecord record;
  EXPECT_THAT(stages_of("is wrong", Stage::time, record), ElementsAre(Stage::compile, Stage::test));
  EXPECT_EQ(record.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(record.judgement.reason, HasSubstr("rkb test --task doubling"));
}

TEST_F(EvaluatorTest, ShowsTheRecordSoFar) {
  Request asked{.scope = {.seeds = 1}};
  asked.stages = {Stage::compile, Stage::test};
  std::vector<std::size_t> cases;
  asked.on_stage = [&](Stage, const KernelRecord& so_far) {
    EXPECT_EQ(so_far.judgement.verdict, Verdict::pass);
    cases.push_back(so_far.cases.size());
    return Next::go_on;
  };
  submit("is right", asked);
  EXPECT_THAT(cases, ElementsAre(0U, tested));
}

TEST_F(EvaluatorTest, TestsAndTimesTheScopesConfigs) {
  const KernelRecord record = submit("is right", request());
  ASSERT_EQ(record.cases.size(), 1U);
  EXPECT_EQ(record.cases.front().name, "small/size_17/seed_1");
  ASSERT_EQ(record.timings.size(), 1U);
  EXPECT_EQ(record.timings.front().config, "small/size_17");
}

TEST_F(EvaluatorTest, ReportsProgress) {
  Request asked{.scope = {.seeds = 1}};
  asked.stages = {Stage::compile, Stage::test};
  std::vector<std::string> texts;
  asked.on_progress = [&](const Progress& made) {
    EXPECT_LE(made.done, made.total);
    texts.push_back(std::string(to_string(made.stage)) + ": " + made.text);
  };
  submit("is right", asked);
  EXPECT_THAT(texts, ElementsAre("compile: compiling", "test: 1 of 3 cases", "test: 2 of 3 cases",
                                 "test: all cases in one sequence"));
}

TEST_F(EvaluatorTest, RacesRivalsBesideTheBaselines) {
  Request asked = request();
  asked.stages = {Stage::compile, Stage::time};
  asked.rivals = {{"parent", kernel("is right")}, {"plain", kernel("is right, too")}};
  const KernelRecord record = submit("is right", asked);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(record.cases, IsEmpty());
  EXPECT_THAT(subjects_of(record), ElementsAre("kernel", "parent", "plain", "eager"));
  EXPECT_THAT(rivals_of(record), ElementsAre("parent", "plain", "eager"));
}

TEST_F(EvaluatorTest, RacesRivalsInPlaceOfTheBaselines) {
  Request asked = request();
  asked.stages = {Stage::compile, Stage::time};
  asked.rivals = {{"parent", kernel("is right")}};
  asked.baselines = false;
  EXPECT_THAT(subjects_of(submit("is right", asked)), ElementsAre("kernel", "parent"));
}

TEST_F(EvaluatorTest, TellsOfARivalThatIsRejected) {
  Request asked = request();
  asked.stages = {Stage::compile, Stage::time};
  asked.rivals = {{"parent", kernel("is wrong when timed")}};
  std::vector<std::string> rejected;
  asked.on_rival_rejected = [&](const std::string& rival, const Judgement& why) {
    EXPECT_EQ(why.verdict, Verdict::wrong_result);
    rejected.push_back(rival);
  };
  const KernelRecord record = submit("is right", asked);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(rejected, ElementsAre("parent"));
  ASSERT_EQ(record.rivals.size(), 1U);
  EXPECT_EQ(record.rivals[0].name, "parent");
  EXPECT_EQ(record.rivals[0].path, "/is wrong when timed.cpp");
  EXPECT_EQ(record.rivals[0].judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(rivals_of(record), ElementsAre("eager"));
}

// Every call counts as slow here, and takes too long to be timed.
TEST_F(EvaluatorTest, PassesAKernelThatIsTooSlowToTime) {
  m_options.bench.pace = {.slow_call = std::chrono::seconds{0},
                          .times_the_quickest = 0,
                          .config_time = std::chrono::seconds{0}};
  Evaluator own(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  const KernelRecord record = own.submit(kernel("is right"), request());
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(record.timings, IsEmpty());
  EXPECT_THAT(record.timing_note, HasSubstr("small/size_17: too slow to time, since a call took"));
}

// Every call counts as slow here, and there is time for none.
TEST_F(EvaluatorTest, TestsASlowKernelOnFewCasesAndNeverTimesIt) {
  Request asked{.scope = {.seeds = 4}};
  asked.slow_calls = SlowCallLimit{.seconds = 0, .slow_call = 0, .times_the_reference = 0};
  const KernelRecord record = submit("is right", asked);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  ASSERT_EQ(record.cases.size(), 2U) << "one case, and the sequence";
  EXPECT_GT(record.cases_not_called, 0);
  EXPECT_THAT(record.timing_note, HasSubstr("0 s were too little for all tests; left out: "));
  EXPECT_THAT(record.timing_note, HasSubstr("3 of 4 seeds of small/size_"));
  EXPECT_THAT(record.timing_note, HasSubstr("all 4 seeds of small/size_"));
  EXPECT_THAT(record.judgement.reason, HasSubstr(record.timing_note));
  EXPECT_THAT(record.cases[1].judgement.reason,
              HasSubstr("2 calls in random order fit into the time, 40 were wanted"));
  EXPECT_THAT(record.timings, IsEmpty());
  EXPECT_THAT(record.timing_note, HasSubstr("too slow to time"));
}

TEST_F(EvaluatorTest, RejectsAWrongSlowKernelOnFewCases) {
  Request asked = request();
  asked.slow_calls = SlowCallLimit{.seconds = 0, .slow_call = 0, .times_the_reference = 0};
  EXPECT_EQ(submit("is wrong", asked).judgement.verdict, Verdict::wrong_result);
}

TEST_F(EvaluatorTest, RecordsTheMachine) {
  const KernelRecord record = submit("is right", request());
  ASSERT_TRUE(record.machine);
  EXPECT_THAT(record.machine->date, testing::MatchesRegex("20..-..-..T..:..:..Z"));
  EXPECT_FALSE(record.machine->host.empty());
  EXPECT_GT(record.machine->cpus, 0);
  EXPECT_THAT(record.machine->rkb, HasSubstr("."));
  EXPECT_THAT(record.machine->torch, HasSubstr("."));
  EXPECT_EQ(record.machine->driver, "") << "no GPU was used";
}

TEST_F(EvaluatorTest, RefusesRivalsThatCannotRace) {
  for (const char* name : {"kernel", "eager"}) {
    Request asked = request();
    asked.rivals = {{name, kernel("is right")}};
    EXPECT_THROW(submit("is right", asked), UserError) << name;
  }
  Request asked = request();
  asked.rivals = {{"parent", kernel("broken", {.judgement = {.verdict = Verdict::compile_error,
                                                             .reason = "line 7"}})}};
  try {
    submit("is right", asked);
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), testing::AllOf(HasSubstr("'parent'"), HasSubstr("line 7")));
  }
}

TEST_F(EvaluatorTest, RefusesInvalidSubmissions) {
  KernelSource other = kernel("is right");
  other.entry.direction = Direction::backward;
  EXPECT_THROW(evaluator().submit(other, request()), UserError);
  EXPECT_THROW(submit("is right", {.scope = {.only_case = "small/size_18/seed_1"}}), UserError);
  EXPECT_THROW(submit("is right", {.scope = {.only_config = "small/size_18"}}), UserError);
  Request estimated = request();
  estimated.estimators = {"kernelbench"};
  EXPECT_THROW(submit("is right", estimated), UserError);
}

TEST_F(EvaluatorTest, SkipsAKernelThatCannotBeSanitizedHere) {
  Request asked = request();
  asked.stages = {Stage::compile, Stage::sanitize};
  const KernelRecord record = submit("is right", asked);
  EXPECT_EQ(record.judgement.verdict, Verdict::skipped);
  EXPECT_THAT(record.judgement.reason, HasSubstr("compute-sanitizer"));
}

TEST_F(EvaluatorTest, ABrokenKernelDoesNotHarmTheNext) {
  EXPECT_EQ(submit("dies", request()).judgement.verdict, Verdict::crash);
  const KernelRecord timed = submit("is wrong when timed", request());
  EXPECT_EQ(timed.judgement.verdict, Verdict::wrong_result);
  EXPECT_THAT(timed.judgement.reason, HasSubstr("while timing: "));
  const KernelRecord record = submit("is right", request());
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(record.timings.size(), 1U);
}

TEST_F(EvaluatorTest, AFailureOfTheHarnessIsARecord) {
  m_manifest.toolchain.baseline_command = {"/bin/false"};
  Evaluator broken(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  const KernelRecord record = broken.submit(kernel("is right"), request());
  EXPECT_EQ(record.judgement.verdict, Verdict::harness_error);
  EXPECT_FALSE(record.judgement.reason.empty());
}

TEST_F(EvaluatorTest, TakesSeveralSubmissionsAtOnce) {
  const std::vector<std::string> scripts{"is right", "dies", "is right", "is wrong when timed"};
  std::vector<KernelSource> kernels;
  for (const std::string& script : scripts) kernels.push_back(kernel(script));
  std::vector<KernelRecord> records(scripts.size());
  {
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      threads.emplace_back([&, i] { records[i] = evaluator().submit(kernels[i], request()); });
    }
  }
  EXPECT_EQ(records[0].judgement.verdict, Verdict::pass) << records[0].judgement.reason;
  EXPECT_EQ(records[1].judgement.verdict, Verdict::crash);
  EXPECT_EQ(records[2].judgement.verdict, Verdict::pass) << records[2].judgement.reason;
  EXPECT_EQ(records[3].judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(records[0].timings.size(), 1U);
  EXPECT_EQ(records[2].timings.size(), 1U);
}

// Submissions that race together. Limits of 24 hours keep the machine's speed out of the outcome.
class EvaluatorRaces : public EvaluatorTest {
 protected:
  EvaluatorRaces() {
    m_options.raced_together = 3;
    m_options.longest_race_wait = std::chrono::hours{24};
    m_options.longest_awaited_test = std::chrono::hours{24};
    m_asked.rivals = {{"parent", kernel("is right, too")}};
    m_asked.baselines = false;
  }

  // Each kernel comes to its race once all are tested.
  std::vector<KernelRecord> records_of(Evaluator& evaluator,
                                       const std::vector<std::string>& scripts) {
    std::latch tested(static_cast<std::ptrdiff_t>(scripts.size()));
    Request asked = m_asked;
    asked.on_stage = [&](Stage stage, const KernelRecord&) {
      if (stage == Stage::test) tested.arrive_and_wait();
      return Next::go_on;
    };
    // All kernels are written before any is read.
    std::vector<KernelSource> kernels;
    for (const std::string& script : scripts) kernels.push_back(kernel(script));
    std::vector<KernelRecord> records(scripts.size());
    std::vector<std::jthread> threads;
    for (std::size_t i = 0; i < scripts.size(); ++i) {
      threads.emplace_back([&, i] { records[i] = evaluator.submit(kernels[i], asked); });
    }
    threads.clear();
    return records;
  }

  Request m_asked = request();
};

std::vector<std::vector<double>> samples_of_parent(const KernelRecord& record) {
  return record.timings.at(0).subjects.at(1).samples_us;
}

TEST_F(EvaluatorRaces, ShareTheWorkersOfTheirRival) {
  Evaluator sharing(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  const std::vector<KernelRecord> records =
      records_of(sharing, {"is right", "is right, too", "refuses other sizes"});
  for (const KernelRecord& record : records) {
    ASSERT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
    ASSERT_THAT(subjects_of(record), ElementsAre("kernel", "parent"));
    EXPECT_EQ(samples_of_parent(record), samples_of_parent(records[0]));
  }
}

// The others come to their race, where they read the clock, while the last one is tested.
TEST_F(EvaluatorRaces, WaitForThoseThatAreTested) {
  std::latch last_is_tested(1);
  std::counting_semaphore<> at_their_race(0);
  m_options.now = [&] {
    thread_local bool has_asked = false;
    if (!std::exchange(has_asked, true)) at_their_race.release();
    return std::chrono::steady_clock::time_point();
  };
  Evaluator sharing(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  Request first = m_asked;
  first.on_stage = [&](Stage stage, const KernelRecord&) {
    if (stage == Stage::test) last_is_tested.wait();
    return Next::go_on;
  };
  Request last = m_asked;
  last.on_stage = [&](Stage stage, const KernelRecord&) {
    if (stage == Stage::test) {
      last_is_tested.count_down();
      at_their_race.acquire();
      at_their_race.acquire();
    }
    return Next::go_on;
  };
  const std::vector<KernelSource> kernels{kernel("is right"), kernel("is right, too"),
                                          kernel("refuses other sizes")};
  std::vector<KernelRecord> records(kernels.size());
  std::vector<std::jthread> threads;
  for (std::size_t i = 0; i < kernels.size(); ++i) {
    threads.emplace_back(
        [&, i] { records[i] = sharing.submit(kernels[i], i == 2 ? last : first); });
  }
  threads.clear();
  for (const KernelRecord& record : records) {
    ASSERT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
    EXPECT_EQ(samples_of_parent(record), samples_of_parent(records[0]));
  }
}

// The last one is tested until the workers of the other and of their rival have started.
TEST_F(EvaluatorRaces, StartTheirWorkersWhileTheyWaitForOthers) {
  Evaluator sharing(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  const KernelSource right = kernel("is right");
  const KernelSource last = kernel("is right, too");
  std::latch both_are_tested(2);
  Request first = m_asked;
  first.on_stage = [&](Stage stage, const KernelRecord&) {
    if (stage == Stage::test) both_are_tested.arrive_and_wait();
    return Next::go_on;
  };
  // This counts the baseline's workers, which may start beside the others.
  const std::size_t all = 3 * static_cast<std::size_t>(m_options.bench.workers);
  bool are_there = false;
  Request awaited = m_asked;
  awaited.on_stage = [&](Stage stage, const KernelRecord&) {
    if (stage != Stage::test) return Next::go_on;
    both_are_tested.arrive_and_wait();
    for (int i = 0; i < 5000 && !are_there; ++i) {
      are_there = workers_left(std::numeric_limits<std::size_t>::max()).size() >= all;
      std::this_thread::sleep_for(std::chrono::milliseconds{1});
    }
    return Next::go_on;
  };
  KernelRecord record;
  std::jthread other([&] { record = sharing.submit(right, first); });
  const KernelRecord of_last = sharing.submit(last, awaited);
  other.join();
  EXPECT_TRUE(are_there);
  ASSERT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(samples_of_parent(of_last), samples_of_parent(record));
}

// Kernels that fail before their race are no longer waited for.
TEST_F(EvaluatorRaces, BeginWithoutThoseThatFail) {
  m_options.raced_together = 2;
  Evaluator sharing(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  const KernelSource right = kernel("is right");
  const KernelSource wrong = kernel("is wrong");
  KernelRecord of_wrong;
  std::jthread other([&] { of_wrong = sharing.submit(wrong, m_asked); });
  const KernelRecord record = sharing.submit(right, m_asked);
  other.join();
  EXPECT_EQ(of_wrong.judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_THAT(subjects_of(record), ElementsAre("kernel", "parent"));
}

// The first kernel holds its race until the second has come to its own, and then for 1000 seconds
// of the test's clock.
TEST_F(EvaluatorRaces, TellHowLongTheyWaited) {
  using Time = std::chrono::steady_clock::time_point;
  std::atomic<Time> time = Time();
  std::latch begun(1);
  std::latch waiting(1);
  m_options.now = [&, second = std::this_thread::get_id()] {
    const Time now = time;
    if (std::this_thread::get_id() == second && !waiting.try_wait()) waiting.count_down();
    return now;
  };
  Evaluator evaluator(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  double waited_first = -1;
  double waited_second = -1;
  Request holding = request();
  holding.stages = {Stage::compile, Stage::time};
  holding.on_progress = [&](const Progress& made) {
    if (made.stage != Stage::time) return;
    begun.count_down();
    waiting.wait();
    time = Time() + std::chrono::seconds{1000};
  };
  holding.on_waited = [&](double seconds) { waited_first = seconds; };
  m_asked.stages = {Stage::compile, Stage::time};
  m_asked.on_waited = [&](double seconds) { waited_second = seconds; };
  const KernelSource first = kernel("is right");
  const KernelSource second = kernel("is right, too");
  std::jthread other([&] { (void)evaluator.submit(first, holding); });
  begun.wait();
  (void)evaluator.submit(second, m_asked);
  other.join();
  EXPECT_DOUBLE_EQ(waited_first, 0) << "it held the others up";
  EXPECT_DOUBLE_EQ(waited_second, 1000);
}

// Otherwise a kernel that cheats could have others refused.
TEST_F(EvaluatorRaces, AreRepeatedAloneWhereAKernelIsRejected) {
  Evaluator sharing(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  const std::vector<KernelRecord> records =
      records_of(sharing, {"is right", "is wrong when timed", "refuses other sizes"});
  EXPECT_EQ(records[0].judgement.verdict, Verdict::pass) << records[0].judgement.reason;
  EXPECT_EQ(records[1].judgement.verdict, Verdict::wrong_result);
  EXPECT_EQ(records[2].judgement.verdict, Verdict::pass) << records[2].judgement.reason;
  EXPECT_NE(samples_of_parent(records[0]), samples_of_parent(records[2]));
}

TEST_F(EvaluatorRaces, AreCancelledTogether) {
  std::stop_source stop;
  m_asked.stop = stop.get_token();
  m_asked.on_progress = [&](const Progress& made) {
    if (made.stage == Stage::time) stop.request_stop();
  };
  Evaluator sharing(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  for (const KernelRecord& record : records_of(sharing, {"is right", "is right", "is right"})) {
    EXPECT_EQ(record.judgement.reason, cancelled);
  }
}

TEST_F(EvaluatorTest, CancelsBetweenCases) {
  std::stop_source stop;
  Request asked{.scope = {.seeds = 1}};
  asked.stop = stop.get_token();
  asked.on_progress = [&](const Progress& made) {
    if (made.stage == Stage::test) stop.request_stop();
  };
  const KernelRecord record = submit("is right", asked);
  EXPECT_EQ(record.judgement.verdict, Verdict::skipped);
  EXPECT_EQ(record.judgement.reason, cancelled);
  EXPECT_EQ(record.cases.size(), 1U);
  EXPECT_THAT(record.timings, IsEmpty());
}

// The call would hang for minutes.
TEST_F(EvaluatorTest, CancelsWithinACall) {
  std::stop_source stop;
  Request asked = request();
  asked.stop = stop.get_token();
  const std::filesystem::path sign = m_directory.path() / "sign";
  const std::jthread canceller([&] {
    while (!exists(sign)) std::this_thread::sleep_for(std::chrono::milliseconds{5});
    stop.request_stop();
  });
  const KernelRecord record = submit("hangs, see " + sign.string(), asked);
  EXPECT_EQ(record.judgement.verdict, Verdict::skipped);
  EXPECT_EQ(record.judgement.reason, cancelled);
  EXPECT_EQ(submit("is right", request()).judgement.verdict, Verdict::pass);
}

TEST_F(EvaluatorTest, CancelsWhileTiming) {
  std::stop_source stop;
  Request asked = request();
  asked.stop = stop.get_token();
  asked.on_progress = [&](const Progress& made) {
    if (made.stage == Stage::time) stop.request_stop();
  };
  EXPECT_EQ(submit("is right", asked).judgement.reason, cancelled);
  EXPECT_EQ(submit("is right", request()).judgement.verdict, Verdict::pass);
}

TEST_F(EvaluatorTest, DoesNotTestASubmissionThatIsCancelledBefore) {
  std::stop_source stop;
  stop.request_stop();
  Request asked = request();
  asked.stop = stop.get_token();
  const KernelRecord record = submit("is right", asked);
  EXPECT_EQ(record.judgement.reason, cancelled);
  EXPECT_THAT(record.cases, IsEmpty());
}

TEST_F(EvaluatorTest, KeepsWorkersAndNoTensorsWhileIdle) {
  const std::set<pid_t> others = workers_left(2);
  m_options.idle_after = std::chrono::milliseconds{0};
  Evaluator own(m_manifest, m_task, Direction::forward, Device::cpu, m_options);
  std::size_t kept = 0;
  Request asked = request();
  asked.scope.only_case.clear();  // a case that is asked for alone keeps nothing
  asked.on_stage = [&](Stage stage, const KernelRecord&) {
    if (stage == Stage::test) kept = own.kept_bytes();
    return Next::go_on;
  };
  EXPECT_EQ(own.submit(kernel("is right"), asked).judgement.verdict, Verdict::pass);
  EXPECT_GT(kept, 0U);
  while (own.kept_bytes() > 0) std::this_thread::yield();
  const std::set<pid_t> baselines = workers_left(others.size() + 2);
  EXPECT_EQ(baselines.size(), others.size() + 2);
  const KernelRecord record = own.submit(kernel("is right"), request());
  EXPECT_EQ(record.judgement.verdict, Verdict::pass) << record.judgement.reason;
  EXPECT_EQ(workers_left(others.size() + 2), baselines);
}

}  // namespace
}  // namespace robust_kbench
