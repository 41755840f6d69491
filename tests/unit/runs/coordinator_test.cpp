#include "runs/pilots/coordinator.hpp"

#include <filesystem>
#include <future>

#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "process/temporary_directory.hpp"
#include "runs/pilots/claimant.hpp"
#include "runs/pilots/run_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::IsEmpty;

constexpr double lease_seconds = 10;

// A coordinator and pilots that do what a test tells them, by a clock of the test.
class CoordinatorTest : public testing::Test {
 protected:
  CoordinatorTest() { begin(); }

  void begin() {
    m_coordinator = std::make_unique<Coordinator>(
        m_folder, CoordinatorOptions{.lease_seconds = lease_seconds, .patience_seconds = 100},
        [this](const nlohmann::json& event) { m_events.push_back(event); },
        [](double) { throw std::runtime_error("nobody else holds the lease"); });
  }

  Claimant pilot(const std::string& name, const std::string& model = "H100") {
    Claimant made(m_folder, {.name = name, .host = name, .model = model});
    made.join();
    return made;
  }

  std::int64_t post(const std::string& what, const std::string& pilot = "",
                    const std::string& model = "") {
    return m_coordinator->post({.job = {{"what", what}},
                                .label = {{"id", 7}, {"kind", what}},
                                .model = model,
                                .pilot = pilot});
  }

  void step(double seconds = 0.1) { m_coordinator->step(m_now += seconds); }
  // The time of a lease goes by, in which these renew theirs.
  void lease_passes(const std::vector<Claimant*>& renewing) {
    for (int i = 0; i < 12; ++i) {
      for (Claimant* each : renewing) EXPECT_TRUE(each->renew());
      step(1);
    }
  }

  // What one job of this kind was answered.
  nlohmann::json answer_of(std::int64_t job) { return m_coordinator->await(job, {}).answer; }

  int count(const std::string& event) const {
    return static_cast<int>(std::ranges::count_if(
        m_events, [&](const nlohmann::json& each) { return each.at("event") == event; }));
  }

  const TemporaryDirectory m_directory{"coordinator"};
  const SharedFolder m_folder{m_directory.path() / "run"};
  std::vector<nlohmann::json> m_events;
  std::unique_ptr<Coordinator> m_coordinator;
  double m_now = 1000;
};

TEST_F(CoordinatorTest, GivesAJobToOnePilotAndTakesItsAnswer) {
  Claimant first = pilot("first");
  Claimant second = pilot("second");
  const std::int64_t job = post("test");
  step();
  const std::optional<Claim> claim = first.claim(false);
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->job.at("what"), "test");
  EXPECT_FALSE(second.claim(false));
  step();
  first.answer(*claim, {{"answer", 42}, {"worked_s", 3.5}});
  step(2);
  EXPECT_EQ(answer_of(job), 42);
  EXPECT_EQ(m_events.back().at("event"), "answered");
  EXPECT_EQ(m_events.back().at("pilot"), "first");
  EXPECT_EQ(m_events.back().at("kind"), "test");
  EXPECT_EQ(m_events.back().at("worked_s"), 3.5);
  for (const char* place : {"open", "claimed", "done"})
    EXPECT_THAT(m_folder.list(place), IsEmpty());
}

TEST_F(CoordinatorTest, GivesTheJobOfADeadPilotToAnotherOnce) {
  Claimant dead = pilot("dead");
  Claimant living = pilot("living");
  const std::int64_t job = post("test");
  step();
  ASSERT_TRUE(dead.claim(false));
  step();
  lease_passes({&living});
  EXPECT_EQ(count("pilot_lost"), 1);
  EXPECT_EQ(count("claim_lost"), 1);
  const std::optional<Claim> claim = living.claim(false);
  ASSERT_TRUE(claim);
  EXPECT_EQ(claim->name.attempt, 2);
  living.answer(*claim, {{"answer", 1}});
  step();
  EXPECT_EQ(answer_of(job), 1);
}

// Its own clock may be ten minutes off, and files may have times of the future: none is read.
TEST_F(CoordinatorTest, KeepsAPilotThatRenewsWhateverClocksSay) {
  Claimant slow = pilot("slow");
  const std::int64_t job = post("test");
  step();
  const std::optional<Claim> claim = slow.claim(false);
  for (const char* place : {"claimed", "leases", "pilots"}) {
    for (const std::string& file : m_folder.list(place)) {
      fs::last_write_time(m_folder.path() / place / file,
                          fs::file_time_type::clock::now() - std::chrono::minutes(10));
    }
  }
  for (int i = 0; i < 20; ++i) lease_passes({&slow});
  EXPECT_EQ(count("claim_lost"), 0);
  slow.answer(*claim, {{"answer", 1}});
  step();
  EXPECT_EQ(answer_of(job), 1);
}

// It was stopped, and answers when it is thawed. Its answer is as good as any, if it is the first.
TEST_F(CoordinatorTest, CountsOneOfTwoAnswers) {
  Claimant stalled = pilot("stalled");
  Claimant living = pilot("living");
  const std::int64_t job = post("test");
  step();
  const std::optional<Claim> late = stalled.claim(false);
  step();
  lease_passes({&living});
  const std::optional<Claim> claim = living.claim(false);
  EXPECT_FALSE(stalled.renew());
  living.answer(*claim, {{"answer", "first"}});
  step();
  stalled.answer(*late, {{"answer", "second"}});
  step();
  EXPECT_EQ(answer_of(job), "first");
  EXPECT_EQ(count("answered"), 1);
  EXPECT_EQ(count("late_answer"), 1);
  EXPECT_THAT(m_folder.list("done"), IsEmpty());
}

TEST_F(CoordinatorTest, TakesTheAnswerOfAPilotThatDiedAfterIt) {
  Claimant dead = pilot("dead");
  const std::int64_t job = post("test");
  step();
  const std::optional<Claim> claim = dead.claim(false);
  step();
  // It dies between its answer and the removal of its claim.
  m_folder.write("done/" + to_string(claim->name), R"({"answer": 5})");
  step(lease_seconds / 5);
  EXPECT_EQ(answer_of(job), 5);
  lease_passes({});
  EXPECT_EQ(count("claim_lost"), 0);
  EXPECT_THAT(m_folder.list("claimed"), IsEmpty());
}

TEST_F(CoordinatorTest, GivesOnAtOnceWhatALeavingPilotGivesBack) {
  Claimant leaving = pilot("leaving");
  Claimant staying = pilot("staying");
  const std::int64_t job = post("test", "", "H100");
  step();
  const std::optional<Claim> claim = leaving.claim(false);
  step();
  leaving.give_back(*claim);
  leaving.leave("it was ended from outside");
  step();
  const std::optional<Claim> second = staying.claim(false);
  ASSERT_TRUE(second);
  staying.answer(*second, {{"answer", 1}});
  step();
  EXPECT_EQ(answer_of(job), 1);
  EXPECT_EQ(count("pilot_left"), 1);
  EXPECT_EQ(count("claim_lost"), 0);
}

TEST_F(CoordinatorTest, KeepsACandidateWhereItWasWhileThatPilotLives) {
  Claimant home = pilot("home");
  Claimant other = pilot("other");
  step();
  const std::int64_t job = post("race", "home");
  step();
  EXPECT_FALSE(other.claim(false));
  ASSERT_TRUE(home.claim(true));
  post("race", "home");
  step();
  // It has other work. Somebody else may do it then.
  step(2.5);
  step(0.1);
  EXPECT_TRUE(other.claim(false));
  EXPECT_GT(job, 0);
}

TEST_F(CoordinatorTest, RacesOnOneModelAlone) {
  Claimant other = pilot("other", "A100");
  Claimant right = pilot("right", "H100");
  post("race", "", "H100");
  step();
  EXPECT_FALSE(other.claim(false));
  EXPECT_TRUE(right.claim(false));
}

TEST_F(CoordinatorTest, TriesAFailedJobElsewhereAndThenSaysWhoFailed) {
  Claimant broken = pilot("broken");
  const std::int64_t job = post("test");
  for (int i = 0; i < 3; ++i) {
    step();
    const std::optional<Claim> claim = broken.claim(false);
    ASSERT_TRUE(claim);
    broken.answer(*claim, {{"failed", "the GPU has fallen off the bus"}});
    step();
  }
  try {
    answer_of(job);
    FAIL();
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), HasSubstr("3 pilots have failed"));
    EXPECT_THAT(error.what(), HasSubstr("broken: the GPU has fallen off the bus"));
  }
}

TEST_F(CoordinatorTest, GivesUpACandidateThatNoPilotSurvives) {
  const std::int64_t job = post("test");
  for (int i = 0; i < 5; ++i) {
    Claimant dying = pilot("dying" + std::to_string(i));
    step();
    ASSERT_TRUE(dying.claim(false));
    step();
    lease_passes({});
  }
  try {
    answer_of(job);
    FAIL();
  } catch (const HarnessError& error) {
    EXPECT_THAT(error.what(), HasSubstr("5 pilots ended while they evaluated one candidate"));
  }
}

// Somebody mends the mount after a minute. Nobody is given up for what nobody could see.
TEST_F(CoordinatorTest, BearsAFolderThatVanishesForAMinute) {
  Claimant working = pilot("working");
  const std::int64_t job = post("test");
  step();
  const std::optional<Claim> claim = working.claim(false);
  step();
  const fs::path away = m_directory.path() / "away";
  fs::rename(m_folder.path(), away);
  for (int i = 0; i < 60; ++i) step(1);
  EXPECT_THROW((void)working.renew(), FolderTrouble);
  const std::int64_t second = post("test");
  fs::rename(away, m_folder.path());
  step(1);
  EXPECT_EQ(count("folder_trouble"), 1);
  EXPECT_EQ(count("folder_back"), 1);
  EXPECT_TRUE(working.renew());
  working.answer(*claim, {{"answer", 1}});
  step(1);
  EXPECT_EQ(answer_of(job), 1);
  EXPECT_EQ(count("pilot_lost"), 0);
  const std::optional<Claim> posted_meanwhile = working.claim(false);
  ASSERT_TRUE(posted_meanwhile);
  working.answer(*posted_meanwhile, {{"answer", 2}});
  step();
  EXPECT_EQ(answer_of(second), 2);
}

TEST_F(CoordinatorTest, SaysThatTheFolderIsGoneForGood) {
  const std::int64_t job = post("test");
  step();
  fs::rename(m_folder.path(), m_directory.path() / "away");
  for (int i = 0; i < 110; ++i) step(1);
  EXPECT_THROW(answer_of(job), HarnessError);
  m_coordinator->end();  // leaves it as it is
}

TEST_F(CoordinatorTest, PostsAgainWhatTheFolderHasLost) {
  Claimant working = pilot("working");
  post("test");
  step();
  m_folder.remove("open/" + m_folder.list("open").front());
  lease_passes({&working});
  EXPECT_TRUE(working.claim(false));
}

TEST_F(CoordinatorTest, ForgetsAWithdrawnJob) {
  Claimant working = pilot("working");
  std::stop_source stop;
  const std::int64_t job = post("test");
  step();
  stop.request_stop();
  EXPECT_THROW(m_coordinator->await(job, stop.get_token()), Cancelled);
  step();
  EXPECT_FALSE(working.claim(false));
}

TEST_F(CoordinatorTest, RefusesAnotherCoordinatorWhileItLives) {
  const auto second = [&] {
    Coordinator other(
        m_folder, {.lease_seconds = lease_seconds}, [](const auto&) {},
        [&](double seconds) { step(seconds); });
  };
  try {
    second();
    FAIL();
  } catch (const UserError& error) {
    EXPECT_THAT(error.what(), HasSubstr("has a coordinator that is at work: process"));
    EXPECT_THAT(error.what(), HasSubstr("wait for its end, or name another folder"));
  }
  // The first one goes on.
  Claimant working = pilot("working");
  const std::int64_t job = post("test");
  step();
  working.answer(working.claim(false).value(), {{"answer", 1}});
  step();
  EXPECT_EQ(answer_of(job), 1);
}

TEST_F(CoordinatorTest, FollowsOneThatIsNotHeardOf) {
  double waited = 0;
  std::vector<nlohmann::json> events;
  Claimant still_running = pilot("still_running");
  const std::int64_t job = post("test");
  step();
  const std::optional<Claim> of_first = still_running.claim(false);
  Coordinator second(
      m_folder, {.lease_seconds = lease_seconds},
      [&](const nlohmann::json& event) { events.push_back(event); },
      [&](double seconds) { waited += seconds; });
  EXPECT_NEAR(waited, lease_seconds, 0.5);
  // The pilot is found, and what it did for the first one counts for neither.
  second.step(1);
  EXPECT_EQ(events.at(0).at("event"), "pilot_joined");
  still_running.answer(*of_first, {{"answer", 1}});
  const std::int64_t again = second.post({.job = {{"what", "test"}}, .label = {{"id", 7}}});
  second.step(2);
  const std::optional<Claim> claim = still_running.claim(false);
  ASSERT_TRUE(claim);
  still_running.answer(*claim, {{"answer", 2}});
  second.step(3);
  EXPECT_EQ(second.await(again, {}).answer, 2);
  // The first one wakes up, and learns of it.
  step(100);
  EXPECT_THROW(answer_of(job), HarnessError);
}

TEST_F(CoordinatorTest, FollowsOneThatHasEnded) {
  m_coordinator->end();
  EXPECT_TRUE(m_folder.read(run_directory::ended_file));
  begin();
  EXPECT_FALSE(m_folder.read(run_directory::ended_file));
}

TEST_F(CoordinatorTest, TellsWhichPilotsAreRefused) {
  Claimant(m_folder, {.name = "other_tree", .refused = "its source tree is another"}).join();
  step();
  ASSERT_EQ(count("pilot_refused"), 1);
  EXPECT_EQ(m_events.back().at("reason"), "its source tree is another");
  step(5);
  EXPECT_EQ(count("pilot_refused"), 1);
  EXPECT_THAT(m_coordinator->pilots(), IsEmpty());
}

TEST_F(CoordinatorTest, TellsWhoIsThere) {
  Claimant there = pilot("there");
  step();
  m_coordinator->tell_presence(m_now + 5);
  step(6);
  EXPECT_EQ(m_events.back().at("event"), "pilot_present");
  EXPECT_EQ(m_events.back().at("present_s"), 5);
}

}  // namespace
}  // namespace robust_kbench
