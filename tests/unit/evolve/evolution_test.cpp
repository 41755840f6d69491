#include "evolve/evolution.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <csignal>
#include <deque>
#include <random>
#include <sqlite3.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "archive/export_t4.hpp"
#include "archive/stored_record.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"
#include "process/temporary_directory.hpp"
#include "propose/combine_proposer.hpp"
#include "scripted_backend.hpp"
#include "text_proposer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::DoubleNear;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Pair;

// The requests and results that a proposer was told.
struct Told {
  std::vector<std::pair<std::string, double>> context;  // texts and costs, when it was last asked
  std::vector<TriedStrategy> tried;                     // then, too
  std::vector<bool> profiles;                           // whether the parent had one, each time
  std::vector<ProposalResult> results;
  std::atomic<int> decided = 0;
};

class ScriptedProposer : public Proposer {
 public:
  ScriptedProposer(std::vector<std::string> texts, Told& told, bool works_without_profile)
      : Proposer({.name = "scripted", .works_without_profile = works_without_profile}),
        m_texts(texts.begin(), texts.end()),
        m_told(told) {}

  std::optional<Job> begin(const ProposalRequest& request) override {
    m_told.context.clear();
    m_told.profiles.push_back(request.parent.profile.has_value());
    for (const Candidate* kernel : request.context) {
      m_told.context.emplace_back(kernel->text, kernel->cost);
    }
    m_told.tried = request.tried;
    if (m_texts.empty()) return std::nullopt;
    Proposal proposal{.text = m_texts.front(), .strategy = m_texts.front()};
    if (proposal.text.find("tuned") != std::string::npos) proposal.settings["tunables"] = {};
    if (proposal.text.empty()) proposal.refused = "no answer came";
    m_texts.pop_front();
    return job_of(std::move(proposal));
  }
  [[nodiscard]] std::unique_ptr<Proposer> copy() const override {
    return std::make_unique<TextProposer>("scripted", std::vector(m_texts.begin(), m_texts.end()));
  }
  void learn(const ProposalResult& result) override {
    m_told.results.push_back(result);
    ++m_told.decided;
  }

 private:
  std::deque<std::string> m_texts;
  Told& m_told;
};

Candidate start(std::int64_t id, const std::string& name, const std::string& text) {
  return {.id = id,
          .name = name,
          .text = text,
          .hash = sha256(text),
          .kernel = {.entry = {"adding", Direction::forward}, .sources = {"/seeds/k.cpp"}}};
}

EvolutionPlan plan_of(std::vector<std::string> starts) {
  EvolutionPlan plan{.entry = {"adding", Direction::forward}};
  for (const std::string& text : starts) {
    const auto id = static_cast<std::int64_t>(plan.starts.size()) + 1;
    plan.starts.push_back(start(id, "seed_" + std::to_string(id), text));
  }
  return plan;
}

class EvolutionTest : public testing::Test {
 protected:
  // Runs in an archive of its own, or goes on with the run of `resumed`.
  RunRow evolve(const std::string& directory, const EvolutionPlan& plan,
                const std::vector<std::string>& proposals, const std::string& resumed = "",
                std::optional<RecordedRun> recorded = {}) {
    Archive archive(m_directory.path() / directory, Archive::Mode::create);
    const std::string run =
        resumed.empty() ? archive.begin_run(plan.entry, plan.device, 1, to_json(plan.settings)).id
                        : resumed;
    Journal journal(archive, run, recorded);
    std::vector<std::unique_ptr<Proposer>> proposers;
    if (m_combines) proposers.push_back(std::make_unique<CombineProposer>());
    proposers.push_back(
        std::make_unique<ScriptedProposer>(proposals, m_told, m_works_without_profile));
    Evolution evolution(plan, archive, run, journal, m_backend, std::move(proposers));
    RunRow row = evolution.run();
    m_rows = archive.proposals(run);
    m_advice.clear();
    for (const ProposalRow& each : m_rows) {
      const std::optional<KernelRecord> record = record_of(archive, each);
      const bool profiled = record && record->profile;
      m_advice.push_back(profiled ? record->profile->advice.at(0).text : "none");
    }
    return row;
  }

  // Runs in a process of its own, which calls `before_call` before each evaluation, counted from 0.
  // Returns how the process ended, as waitpid() tells it.
  int evolve_in_child(const std::string& directory, const EvolutionPlan& plan,
                      const std::vector<std::string>& proposals,
                      const std::function<void(int call)>& before_call) {
    const pid_t child = fork();
    if (child == 0) {
      m_backend.calls = 0;
      m_backend.before_call = before_call;
      evolve(directory, plan, proposals);
      _exit(0);
    }
    int status = -1;
    EXPECT_EQ(waitpid(child, &status, 0), child);
    return status;
  }

  // Runs in a process that dies before this evaluation.
  void evolve_until(int evaluation, const std::string& directory, const EvolutionPlan& plan,
                    const std::vector<std::string>& proposals) {
    const int status = evolve_in_child(directory, plan, proposals, [&](int call) {
      if (call == evaluation) _exit(killed);
    });
    ASSERT_EQ(WEXITSTATUS(status), killed);
  }

  [[nodiscard]] std::vector<std::string> outcomes() const {
    std::vector<std::string> all;
    for (const ProposalRow& row : m_rows) {
      all.emplace_back(to_string(row.outcome));
      if (!row.reason_class.empty()) all.back() += " " + row.reason_class;
    }
    return all;
  }

  // The rows without all that depends on the clock.
  [[nodiscard]] std::vector<nlohmann::json> timeless() const {
    std::vector<nlohmann::json> all;
    for (const ProposalRow& row : m_rows) {
      all.push_back({row.id, row.generation, row.sample, to_string(row.stage),
                     to_string(row.outcome), row.reason, row.reason_class, row.parents,
                     row.proposer, row.strategy, row.source_hash, row.token_hash, row.object_hash,
                     row.settings, row.speedup.value_or(0), row.ci_low.value_or(0),
                     row.record_hash});
    }
    return all;
  }

  TemporaryDirectory m_directory{"evolution_test"};
  ScriptedBackend m_backend;
  std::vector<ProposalRow> m_rows;
  std::vector<std::string> m_advice;  // in the record of each row
  Told m_told;
  bool m_combines = false;
  bool m_works_without_profile = false;
};

const std::vector<std::string> mixed{"takes 90",          "does not compile, takes 1",
                                     "is wrong, takes 1", "is wrong later, takes 1",
                                     "takes 90",          "takes 120",
                                     "takes 89.9",        "takes 45"};

TEST_F(EvolutionTest, KeepsWhatIsRightAndFasterAndSaysWhyNotOfTheOthers) {
  const RunRow run = evolve("a", plan_of({"takes 100", "takes 150"}), mixed);
  EXPECT_THAT(outcomes(),
              ElementsAre("seed", "seed", "accepted", "refused compile_error",
                          "refused wrong_result", "refused wrong_result", "refused duplicate",
                          "refused slower", "refused no_gain", "accepted"));
  EXPECT_EQ(run.state, RunState::ended);
  EXPECT_EQ(run.stop_reason, "nothing more to propose");
  EXPECT_EQ(run.winner, 10);
  EXPECT_NEAR(run.summary["confirmed"]["parent"]["ratio"], 100.0 / 45, 0.01);
  EXPECT_NEAR(run.summary["confirmed"]["registered"]["ratio"], 150.0 / 45, 0.01);
  EXPECT_NEAR(run.summary["in_search"]["eager"], 200.0 / 45, 0.01);
}

TEST_F(EvolutionTest, BeginsWithTheFastestRightStart) {
  evolve("a", plan_of({"takes 100", "is wrong, takes 1", "takes 50"}), {"takes 90"});
  EXPECT_THAT(outcomes(), ElementsAre("seed", "seed wrong_result", "seed", "refused slower"));
  EXPECT_EQ(m_rows.back().parents, std::vector<std::int64_t>{3});
}

TEST_F(EvolutionTest, BeginsWithTheStartThatIsNamed) {
  EvolutionPlan plan = plan_of({"takes 100", "takes 50"});
  plan.first_parent = "seed_1";
  EXPECT_EQ(evolve("a", plan, {"takes 90"}).winner, 3);
}

TEST_F(EvolutionTest, KeepsTheProfileOfEachParentInItsRecord) {
  EvolutionPlan plan = plan_of({"takes 100", "takes 150"});
  plan.settings.max_evaluations = 3;
  const std::vector<std::string> proposals{"takes 90", "takes 120", "takes 50"};
  evolve("a", plan, proposals);
  // Nothing is made from the last one.
  EXPECT_THAT(m_advice, ElementsAre("takes 100", "none", "takes 90", "none", "none"));
  plan.settings.profile = false;
  evolve("b", plan, proposals);
  EXPECT_THAT(m_advice, ElementsAre("none", "none", "none", "none", "none"));
}

TEST_F(EvolutionTest, SaysWhatTheTimedSettingsOfAKernelGain) {
  const RunRow run = evolve("a", plan_of({"takes 100"}),
                            {"tuned, takes 125", "tuned, takes 80", "tuned, is wrong, takes 1",
                             "tuned, takes 50", "takes 40"});
  ASSERT_EQ(run.summary["tuning"].size(), 1);
  const nlohmann::json& report = run.summary["tuning"][0];
  EXPECT_EQ(report["settings"], 3);
  EXPECT_EQ(report["one"], 5);
  EXPECT_NEAR(report["configs"][0]["speedup"], 2, 0.01);
}

TEST_F(EvolutionTest, TellsNobodyHowFastAKernelWasThatIsWrongLater) {
  const RunRow run = evolve("a", plan_of({"takes 100"}), {"tuned, is wrong later, takes 50"});
  EXPECT_THAT(outcomes(), ElementsAre("seed", "refused wrong_result"));
  EXPECT_FALSE(m_rows[1].speedup || m_rows[1].ci_low || m_rows[1].ci_high);
  ASSERT_EQ(m_told.results.size(), 1);
  EXPECT_EQ(m_told.results[0].speedup, std::nullopt);
  ASSERT_EQ(m_told.tried.size(), 1);
  EXPECT_EQ(m_told.tried[0].speedup, std::nullopt);
  EXPECT_TRUE(m_told.context.empty());
  EXPECT_TRUE(run.summary["tuning"].empty());
}

TEST_F(EvolutionTest, TellsWhyWasRefusedWhatWasTriedAndLeavesOutWhatWasNot) {
  evolve("a", plan_of({"takes 100"}), {"", "takes 50", "is wrong, takes 1", "takes 200"});
  std::map<std::string, std::string> told;
  for (const TriedStrategy& tried : m_told.tried) {
    told[tried.strategy] = tried.outcome + ": " + tried.reason;
  }
  EXPECT_THAT(told, ElementsAre(Pair("is wrong, takes 1", "wrong_result: not close"),
                                Pair("takes 200", HasSubstr("slower: 0.25x")),
                                Pair("takes 50", "accepted: ")));
  ASSERT_EQ(m_told.results.size(), 4);
  EXPECT_EQ(m_told.results[0].failure.reason, "no answer came");
  ASSERT_TRUE(m_told.results[2].failure.record);
  EXPECT_EQ(m_told.results[2].failure.record->judgement.verdict, Verdict::wrong_result);
}

TEST_F(EvolutionTest, TakesBackWhatItSaidOfAWinnerThatTheConfirmationFindsWrong) {
  m_backend.empty_us = 48;  // which ends the search unless the confirmation refuses
  const RunRow run = evolve("a", plan_of({"takes 100"}), {"takes 49, confirmed wrong", "takes 90"});
  EXPECT_EQ(run.winner, 3);
  EXPECT_EQ(m_rows[1].reason_class, "confirmation");
  EXPECT_EQ(m_rows[1].speedup, std::nullopt);
  ASSERT_EQ(m_told.tried.size(), 2);
  EXPECT_EQ(m_told.tried[0].outcome, "confirmation");
  EXPECT_EQ(m_told.tried[0].speedup, std::nullopt);
}

TEST_F(EvolutionTest, GoesBackFromAWinnerThatCannotBeReplayed) {
  m_backend.empty_us = 48;
  const RunRow run =
      evolve("a", plan_of({"takes 100"}), {"takes 49, cannot be replayed", "takes 90"});
  EXPECT_EQ(run.winner, 3);
  EXPECT_EQ(m_rows[1].reason_class, "confirmation");
  EXPECT_EQ(m_rows[1].reason, "it cannot be replayed: why");
  EXPECT_NE(m_rows[1].speedup, std::nullopt);
}

TEST_F(EvolutionTest, ShowsWhatLostARaceOnlyOnceItHadPassedAllCases) {
  evolve("a", plan_of({"takes 100", "takes 130"}),
         {"takes 90, raced 110", "takes 120", "is wrong later, takes 1", "takes 95, raced 105",
          "takes 50", "takes 45, raced 60"});
  EXPECT_THAT(outcomes(),
              ElementsAre("seed", "seed", "refused slower", "refused slower",
                          "refused wrong_result", "refused slower", "accepted", "refused slower"));
  EXPECT_THAT(m_told.context,
              ElementsAre(Pair("takes 45, raced 60", DoubleNear(0.6, 0.01)), Pair("takes 100", 1),
                          Pair("takes 95, raced 105", DoubleNear(1.05, 0.01)),
                          Pair("takes 90, raced 110", DoubleNear(1.1, 0.01)),
                          Pair("takes 130", DoubleNear(1.3, 0.01))));
}

TEST_F(EvolutionTest, RecordsTimesWhereTheExportForAutotunersFindsThem) {
  const RunRow run = evolve("a", plan_of({"takes 100"}), {"tuned, takes 80"});
  const Archive archive(m_directory.path() / "a", Archive::Mode::read_only);
  const nlohmann::json times = export_t4(archive, run.id)["results"].at(0)["times"];
  EXPECT_EQ(times["compilation_time"], 1000);
  EXPECT_EQ(times["validation"], 2000);
  EXPECT_EQ(times["framework"], 1000);
}

TEST_F(EvolutionTest, RefusesToBeginWithoutARightStart) {
  EXPECT_THROW(evolve("a", plan_of({"is wrong, takes 1"}), {}), UserError);
}

TEST_F(EvolutionTest, CallsAWinnerSpecialisedThatIsSlowElsewhere) {
  const RunRow run = evolve("a", plan_of({"takes 100"}), {"takes 50, unseen 100"});
  EXPECT_EQ(run.winner, 2);
  EXPECT_EQ(m_rows.back().outcome, ProposalOutcome::specialised);
  EXPECT_THAT(m_rows.back().reason, HasSubstr("configs that were not seen"));
}

TEST_F(EvolutionTest, AcceptsNoChangeOfAFrozenRegionAndNoCommentThatItCannotRead) {
  const std::string frozen = "// frozen: begin\nint x;\n// frozen: end\n";
  evolve("a", plan_of({frozen + "takes 100"}),
         {"takes 50", frozen + "takes 50\n// options: -wrapper /bin/true\n",
          frozen + "takes 50\n// restriction: unknown < 3\n"});
  EXPECT_THAT(outcomes(),
              ElementsAre("seed", "refused frozen", "refused malformed", "refused malformed"));
}

TEST_F(EvolutionTest, TriesNothingAgainThatAnEarlierRunRefused) {
  EvolutionPlan plan = plan_of({"takes 100"});
  evolve("a", plan, {"takes 120", "takes 90"});
  plan.refused_before = {m_rows[1].token_hash};
  evolve("b", plan, {"takes 120", "takes 90"});
  EXPECT_THAT(outcomes(), ElementsAre("seed", "refused duplicate", "accepted"));
}

TEST_F(EvolutionTest, EndsByItsBudgets) {
  EvolutionPlan plan = plan_of({"takes 100"});
  plan.settings.max_evaluations = 2;
  EXPECT_EQ(evolve("a", plan, {"takes 101", "takes 102", "takes 103"}).stop_reason, "evaluations");
  EXPECT_EQ(m_rows.size(), 3);
  plan.settings.max_evaluations = 0;
  plan.settings.plateau = 1;
  EXPECT_EQ(evolve("b", plan, {"takes 101", "takes 102"}).stop_reason, "plateau");
}

// By a clock that an evaluation moves on by ten seconds, in which nothing else takes time. The
// starts take half a minute, and a slower candidate 20 seconds.
TEST_F(EvolutionTest, LeavesTimeForTheConfirmationWithinItsMinutes) {
  std::atomic<double> now = 1000;
  m_backend.before_call = [&](int) { now += 10; };
  EvolutionPlan plan = plan_of({"takes 100"});
  plan.clock = [&] { return now.load(); };
  plan.settings.profile = false;
  plan.settings.minutes = 2;
  const RunRow run =
      evolve("a", plan, {"takes 101", "takes 102", "takes 103", "takes 104", "takes 105"});
  EXPECT_EQ(run.stop_reason, "wall clock");
  EXPECT_EQ(run.summary["proposals"], 4);
  EXPECT_EQ(run.summary["seconds"], 110);
  EXPECT_EQ(run.summary["decided"], 4);
  EXPECT_EQ(run.summary["decided_per_minute"], 3);
  EXPECT_EQ(run.summary["first_decided_s"], 50);
}

TEST_F(EvolutionTest, TriesNothingWhereTheMinutesLeaveNoTimeForIt) {
  std::atomic<double> now = 0;
  m_backend.before_call = [&](int) { now += 10; };
  EvolutionPlan plan = plan_of({"takes 100"});
  plan.clock = [&] { return now.load(); };
  plan.settings.minutes = 0.5;
  const RunRow run = evolve("a", plan, {"takes 50"});
  EXPECT_EQ(run.stop_reason, "wall clock");
  EXPECT_EQ(run.summary["proposals"], 0);
  EXPECT_GT(run.summary["seconds_to_come"], 0);
}

class EvolutionOutOfTimeTest : public EvolutionTest {
 protected:
  // A plan whose time is over while one evaluation takes forever, once so many are decided. That
  // one gives up after some seconds.
  EvolutionPlan plan_without_time(int side_by_side, int decided) {
    EvolutionPlan plan = plan_of({"takes 100"});
    plan.side_by_side = plan.evaluated_at_a_time = side_by_side;
    plan.settings.minutes = 2;
    plan.clock = [this] { return m_now.load(); };
    m_backend.forever = [this, decided, search = plan.search.get_token()] {
      for (int i = 0; i < 5000 && !search.stop_requested(); ++i) {
        if (m_told.decided >= decided) m_now = 119;
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
      if (search.stop_requested()) throw Cancelled();
    };
    return plan;
  }

  // Then only some of the time is left that a confirmation is taken to need.
  EvolutionPlan plan_with_little_time() {
    EvolutionPlan plan = plan_without_time(1, 0);
    m_backend.forever = [this] { m_now = 118; };
    return plan;
  }

  void expect_cut_short(const RunRow& run) {
    EXPECT_EQ(run.state, RunState::ended);
    EXPECT_EQ(run.stop_reason, "wall clock");
    EXPECT_EQ(run.winner, 2);
    EXPECT_TRUE(run.summary.contains("confirmed"));
    EXPECT_EQ(run.summary["decided"], 1);
    EXPECT_EQ(run.summary["refused"]["time_limit"], 1);
    EXPECT_THAT(outcomes(), ElementsAre("seed", "accepted", "refused time_limit"));
    EXPECT_FALSE(m_rows.back().source_hash.empty());
    EXPECT_EQ(m_rows.back().stage, ProposalStage::compiled);
  }

  const std::vector<std::string> m_texts{"takes 50", "takes forever", "takes 20"};
  std::atomic<double> m_now = 0;
};

TEST_F(EvolutionOutOfTimeTest, RefusesWhatIsUnderWayAndConfirms) {
  expect_cut_short(evolve("a", plan_without_time(1, 0), m_texts));
}

TEST_F(EvolutionOutOfTimeTest, DecidesWhatIsUnderWayWhereNothingAwaitsItsConfirmation) {
  const RunRow run = evolve("a", plan_with_little_time(), {"takes 120, takes forever", "takes 20"});
  EXPECT_EQ(run.stop_reason, "wall clock");
  EXPECT_THAT(outcomes(), ElementsAre("seed", "refused slower"));
}

TEST_F(EvolutionOutOfTimeTest, RefusesAWinnerThatItHasNoTimeToConfirm) {
  const std::vector<std::string> texts{"takes 50, takes forever", "takes 20"};
  const RunRow run = evolve("a", plan_with_little_time(), texts);
  EXPECT_THAT(outcomes(), ElementsAre("seed", "refused time_limit"));
  EXPECT_THAT(m_rows.back().reason, HasSubstr("no time to confirm"));
  const auto expected = timeless();
  m_now = 0;
  const Archive archive(m_directory.path() / "a", Archive::Mode::read_only);
  evolve("b", plan_with_little_time(), texts, "", RecordedRun{archive, run.id});
  EXPECT_EQ(timeless(), expected);
}

// The one that has won is tested when just the time for it is left, until first races end.
TEST_F(EvolutionOutOfTimeTest, EndsFirstRacesWhereOneThatHasWonNeedsTheTime) {
  EvolutionPlan plan = plan_without_time(2, 1);
  const auto within_seconds = [](const auto& happens) {
    for (int i = 0; i < 5000 && !happens(); ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    return happens();
  };
  const auto first_races_end = [ended = plan.first_races.get_token()] {
    return ended.stop_requested();
  };
  std::atomic<bool> both_race = false;
  m_backend.forever = [&] {
    both_race = true;
    if (within_seconds(first_races_end)) throw Cancelled();
  };
  m_backend.before = [&](EvaluationKind kind) {
    if (kind != EvaluationKind::test || m_backend.calls <= 3) return;  // it is the seed's
    EXPECT_TRUE(within_seconds([&] { return both_race.load(); }));
    m_now = 117;
    EXPECT_TRUE(within_seconds(first_races_end));
  };
  expect_cut_short(evolve("a", plan, {"takes 50", "takes 120, takes forever"}));
  EXPECT_FALSE(plan.search.stop_requested());
}

TEST_F(EvolutionOutOfTimeTest, RefusesWhatIsUnderWayBesideOthers) {
  expect_cut_short(evolve("a", plan_without_time(2, 1), {"takes 50", "takes forever"}));
}

TEST_F(EvolutionOutOfTimeTest, EndsAlikeUnderReplay) {
  expect_cut_short(evolve("a", plan_without_time(1, 0), m_texts));
  const auto expected = timeless();
  m_backend.calls = 0;
  m_now = 0;
  const Archive archive(m_directory.path() / "a", Archive::Mode::read_only);
  const RecordedRun recorded{archive, "adding.forward.cpu.1"};
  expect_cut_short(evolve("b", plan_without_time(1, 0), m_texts, "", recorded));
  EXPECT_EQ(timeless(), expected);
  EXPECT_EQ(m_backend.calls, 0);
}

TEST_F(EvolutionOutOfTimeTest, GoesOnAfterAKillInTheConfirmation) {
  const EvolutionPlan plan = plan_without_time(1, 0);
  evolve_until(11, "a", plan, m_texts);
  m_backend.calls = 0;
  m_backend.before_call = {};
  expect_cut_short(evolve("a", plan, m_texts, "adding.forward.cpu.1"));
  EXPECT_EQ(m_backend.calls, 2);  // of the confirmation
}

TEST_F(EvolutionTest, EndsWithTheLastProposalOfItsLastGeneration) {
  EvolutionPlan plan = plan_of({"takes 100"});
  plan.settings.population = 2;
  plan.settings.max_generations = 1;
  EXPECT_EQ(evolve("a", plan, {"takes 101", "takes 102", "takes 103"}).stop_reason, "generations");
  EXPECT_EQ(m_rows.size(), 3);
}

TEST_F(EvolutionTest, ShowsWhatOtherEstimatorsSayOfTheWinner) {
  m_backend.estimates = true;
  const RunRow run = evolve("a", plan_of({"takes 100"}), {"takes 50"});
  EXPECT_NEAR(run.summary["estimated"]["events"]["parent"], 2, 1e-9);
  EXPECT_NEAR(run.summary["estimated"]["events"]["eager"], 4, 1e-9);
}

TEST_F(EvolutionTest, EndsWhereNoKernelCanBeMuchFaster) {
  m_backend.empty_us = 48;
  const RunRow run = evolve("a", plan_of({"takes 100"}), {"takes 60", "takes 49", "takes 40"});
  EXPECT_EQ(run.stop_reason, "the least possible time");
  EXPECT_EQ(run.winner, 3);
  EXPECT_EQ(run.summary["empty_us"]["small/n_5"], 48);
}

TEST_F(EvolutionTest, GoesOnWhereTheLeastPossibleTimeIsNotConfirmed) {
  m_backend.empty_us = 48;
  const RunRow run = evolve("a", plan_of({"takes 100"}), {"takes 49, confirmed 60", "takes 55"});
  EXPECT_EQ(run.stop_reason, "nothing more to propose");
}

TEST_F(EvolutionTest, SaysWhatIsLikelyToComeNext) {
  evolve("a", plan_of({"takes 100"}), {"takes 90", "takes 80", "takes 70"});
  EXPECT_THAT(m_backend.expected, ElementsAre("takes 80", "takes 70"));
}

TEST_F(EvolutionTest, EndsAlikeUnderReplayAndEvaluatesNothing) {
  const EvolutionPlan plan = plan_of({"takes 100", "takes 150"});
  const RunRow recorded = evolve("recorded", plan, mixed);
  const auto expected = timeless();
  m_backend.calls = 0;
  const Archive archive(m_directory.path() / "recorded", Archive::Mode::read_only);
  evolve("replayed", plan, mixed, "", RecordedRun{archive, recorded.id});
  EXPECT_EQ(timeless(), expected);
  EXPECT_EQ(m_backend.calls, 0);
}

EvolutionPlan four_at_a_time() {
  EvolutionPlan plan = plan_of({"takes 100"});
  plan.side_by_side = 4;
  plan.evaluated_at_a_time = 4;
  return plan;
}

const std::vector<std::string> seven_texts{"takes 90",
                                           "takes 60",
                                           "takes 90",
                                           "takes 70",
                                           "takes 50",
                                           "takes 120",
                                           "is wrong later, takes 1"};

TEST_F(EvolutionTest, GoesOnWithTheFastestThatWasAccepted) {
  const RunRow run = evolve("a", four_at_a_time(), seven_texts);
  std::vector<std::string> sorted = outcomes();
  std::sort(sorted.begin(), sorted.end());
  EXPECT_THAT(sorted,
              ElementsAre("accepted", "accepted", "accepted", "accepted", "refused duplicate",
                          "refused slower", "refused wrong_result", "seed"));
  for (std::size_t i = 1; i <= 4; ++i) EXPECT_THAT(m_rows[i].parents, ElementsAre(1)) << i;
  EXPECT_EQ(run.winner, 6);
  EXPECT_NEAR(run.summary["in_search"]["parent"].get<double>(), 100.0 / 50, 0.01);
}

// The first two evaluations compile a seed each, and wait for each other.
TEST_F(EvolutionTest, TestsItsStartsSideBySide) {
  EvolutionPlan plan = four_at_a_time();
  plan.starts.push_back(start(2, "seed_2", "takes 150"));
  std::barrier both_compile(2);
  m_backend.before_call = [&](int call) {
    if (call < 2) both_compile.arrive_and_wait();
  };
  EXPECT_EQ(evolve("a", plan, {"takes 50"}).winner, 3);
}

TEST_F(EvolutionTest, CombinesGainsThatWereFoundSideBySide) {
  m_combines = true;
  EvolutionPlan plan = four_at_a_time();
  plan.starts.front() = start(1, "seed_1", "// one\n// two\ntakes 100\n");
  evolve("a", plan, {"takes 50\n// one\n// two\ntakes 100\n", "// one\ntakes 80\ntakes 100\n"});
  ASSERT_EQ(m_rows.size(), 4);
  const ProposalRow& both = m_rows.back();
  EXPECT_EQ(both.proposer, "combine");
  EXPECT_THAT(both.parents, ElementsAre(2, 3));
  EXPECT_EQ(both.source_hash, sha256("takes 50\n// one\ntakes 80\ntakes 100\n"));
  EXPECT_EQ(both.reason_class, "no_gain");
}

TEST_F(EvolutionTest, TakesTheNextBestWhereTheBestIsNotConfirmed) {
  EXPECT_EQ(
      evolve("a", four_at_a_time(), {"takes 60, confirmed 120", "takes 90", "takes 70"}).winner, 4);
}

TEST_F(EvolutionTest, EvaluatesSeveralAtATime) {
  std::barrier all(4);
  m_backend.before_call = [&](int call) {
    if (call >= 4 && call < 8) all.arrive_and_wait();  // the first ones are of the seed
  };
  evolve("a", four_at_a_time(), {"takes 90", "takes 80", "takes 70", "takes 60"});
  EXPECT_EQ(m_rows.size(), 5);
}

class EvolutionBesideAProfileTest : public EvolutionTest {
 protected:
  // The profile of the first parent takes until two candidates are screened.
  EvolutionBesideAProfileTest() {
    m_works_without_profile = true;
    m_backend.forever = [this] { ++m_screened; };
    m_backend.before = [this](EvaluationKind kind) {
      for (int i = 0; i < 5000 && kind == EvaluationKind::profile && m_screened < 2; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      }
    };
  }

  const std::vector<std::string> m_texts{"takes 101, takes forever", "takes 102, takes forever",
                                         "takes 103", "takes 90", "takes 104"};
  std::atomic<int> m_screened = 0;
};

TEST_F(EvolutionBesideAProfileTest, BeginsHalfOfTheProposalsAndTheOthersFromWhatItSays) {
  std::atomic<int> others = 0;  // screened from what the profile says
  m_backend.before = [&, wait = m_backend.before](EvaluationKind kind) {
    others += kind == EvaluationKind::screen ? 1 : 0;
    wait(kind);
  };
  m_backend.forever = [&] {
    ++m_screened;
    for (int i = 0; i < 5000 && others == 0; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  evolve("a", four_at_a_time(), m_texts);
  EXPECT_EQ(m_screened, 2);
  ASSERT_GE(m_told.profiles.size(), 4);
  m_told.profiles.resize(4);
  EXPECT_THAT(m_told.profiles, ElementsAre(false, false, true, true));
  EXPECT_EQ(m_advice.front(), "takes 100");
}

TEST_F(EvolutionBesideAProfileTest, FillsHalfOfThePlacesAgainWhileTheProfileTakesLong) {
  m_backend.before = [this](EvaluationKind kind) {
    if (kind == EvaluationKind::screen) ++m_screened;
    for (int i = 0; i < 5000 && kind == EvaluationKind::profile && m_screened < 3; ++i) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  };
  evolve("a", four_at_a_time(), {"takes 101", "takes 102", "takes 103", "takes 90", "takes 104"});
  ASSERT_GE(m_told.profiles.size(), 3);
  m_told.profiles.resize(3);
  EXPECT_THAT(m_told.profiles, ElementsAre(false, false, false));
}

TEST_F(EvolutionBesideAProfileTest, EndsAlikeUnderReplay) {
  const RunRow recorded = evolve("recorded", four_at_a_time(), m_texts);
  const auto expected = timeless();
  const auto profiles = m_told.profiles;
  m_backend.calls = 0;
  m_told.profiles.clear();
  const Archive archive(m_directory.path() / "recorded", Archive::Mode::read_only);
  evolve("replayed", four_at_a_time(), m_texts, "", RecordedRun{archive, recorded.id});
  EXPECT_EQ(timeless(), expected);
  EXPECT_EQ(m_told.profiles, profiles);
  EXPECT_EQ(m_backend.calls, 0);
}

TEST_F(EvolutionBesideAProfileTest, GoesOnAfterAKill) {
  m_backend.before = {};  // what is in the journal is not screened again
  for (const int at : {4, 5, 6, 10, 14}) {
    const std::string directory = "killed_" + std::to_string(at);
    ASSERT_NO_FATAL_FAILURE(evolve_until(at, directory, four_at_a_time(), m_texts));
    const RunRow run = evolve(directory, four_at_a_time(), m_texts, "adding.forward.cpu.1");
    EXPECT_EQ(m_rows.size(), 6) << at;
    EXPECT_EQ(run.winner, 5) << at;
  }
}

TEST_F(EvolutionTest, BeginsNoMoreThanTheLimitOfEvaluations) {
  EvolutionPlan plan = four_at_a_time();
  plan.settings.max_evaluations = 3;
  EXPECT_EQ(evolve("a", plan, {"takes 9", "takes 8", "takes 7", "takes 6"}).stop_reason,
            "evaluations");
  EXPECT_EQ(m_rows.size(), 4);
}

TEST_F(EvolutionTest, EndsAlikeUnderReplayOfSeveralAtATime) {
  const RunRow recorded = evolve("recorded", four_at_a_time(), seven_texts);
  const auto expected = timeless();
  m_backend.calls = 0;
  const Archive archive(m_directory.path() / "recorded", Archive::Mode::read_only);
  evolve("replayed", four_at_a_time(), seven_texts, "", RecordedRun{archive, recorded.id});
  EXPECT_EQ(timeless(), expected);
  EXPECT_EQ(m_backend.calls, 0);
}

TEST_F(EvolutionTest, GoesOnAfterAKillWithSeveralAtATime) {
  const EvolutionPlan plan = four_at_a_time();
  for (const int at : {6, 12, 18}) {
    const std::string directory = "killed_" + std::to_string(at);
    ASSERT_NO_FATAL_FAILURE(evolve_until(at, directory, plan, seven_texts));
    const RunRow run = evolve(directory, plan, seven_texts, "adding.forward.cpu.1");
    EXPECT_EQ(m_rows.size(), 8) << at;
    EXPECT_EQ(run.winner, 6) << at;
  }
}

// Kills a process of the run at each evaluation in turn, and goes on.
TEST_F(EvolutionTest, GoesOnAfterAKillAtAnyEvaluationAndRepeatsNone) {
  const EvolutionPlan plan = plan_of({"takes 100"});
  const std::vector<std::string> proposals{"takes 90", "is wrong later, takes 1", "takes 45"};
  const RunRow whole = evolve("whole", plan, proposals);
  const auto expected = timeless();
  const int evaluations = m_backend.calls;
  ASSERT_GT(evaluations, 10);
  for (int at = 0; at < evaluations; ++at) {
    const std::string directory = "killed_" + std::to_string(at);
    ASSERT_NO_FATAL_FAILURE(evolve_until(at, directory, plan, proposals));
    m_backend.calls = 0;
    evolve(directory, plan, proposals, whole.id);
    EXPECT_EQ(timeless(), expected) << at;
    EXPECT_EQ(m_backend.calls, evaluations - at);
  }
}

// A process that writes to an archive counts this down.
int commits_left = -1;  // until it dies; negative: it lives

int die_at_commit(void* /*data*/) {
  if (commits_left == 0) _exit(killed);
  if (commits_left > 0) --commits_left;
  return 0;
}

int watch_commits(sqlite3* database, char** /*error*/, const void* /*api*/) {
  sqlite3_commit_hook(database, die_at_commit, nullptr);
  return SQLITE_OK;
}

// Kills a process of the run at each of its writes in turn, and goes on.
TEST_F(EvolutionTest, GoesOnAfterAKillAtAnyWrite) {
  const EvolutionPlan plan = plan_of({"takes 100"});
  const std::vector<std::string> proposals{"takes 90", "does not compile, takes 1"};
  const RunRow whole = evolve("whole", plan, proposals);
  const auto expected = timeless();
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(watch_commits));
  int writes = 0;
  for (bool dies = true; dies; ++writes) {
    const std::string directory = "killed_at_" + std::to_string(writes);
    const int status = evolve_in_child(directory, plan, proposals, [writes](int call) {
      if (call == 0) commits_left = writes;
    });
    dies = WEXITSTATUS(status) == killed;
    evolve(directory, plan, proposals, whole.id);
    EXPECT_EQ(timeless(), expected) << writes;
  }
  sqlite3_reset_auto_extension();
  EXPECT_GT(writes, 20);
}

// Kills it by an alarm at times within its evaluations, which sleep, and goes on.
TEST_F(EvolutionTest, GoesOnAfterAKillAtAnyTime) {
  const EvolutionPlan plan = plan_of({"takes 100"});
  const std::vector<std::string> proposals{"takes 90", "is wrong later, takes 1"};
  const RunRow whole = evolve("whole", plan, proposals);
  const auto expected = timeless();
  constexpr useconds_t stage_us = 4000;
  std::mt19937 random(1);
  std::uniform_int_distribution<suseconds_t> within(1, m_backend.calls * stage_us);
  int kills = 0;
  for (int point = 0; point < 20; ++point) {
    const std::string directory = "killed_after_" + std::to_string(point);
    const suseconds_t delay_us = within(random);
    const int status = evolve_in_child(directory, plan, proposals, [delay_us](int call) {
      const itimerval timer{.it_interval = {}, .it_value = {.tv_sec = 0, .tv_usec = delay_us}};
      if (call == 0) setitimer(ITIMER_REAL, &timer, nullptr);
      usleep(stage_us);
    });
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM) ++kills;
    evolve(directory, plan, proposals, whole.id);
    EXPECT_EQ(timeless(), expected) << delay_us << " us";
  }
  EXPECT_EQ(kills, 20);
}

}  // namespace
}  // namespace robust_kbench
