#include "evolve/translation.hpp"

#include <map>
#include <optional>
#include <sys/wait.h>
#include <unistd.h>

#include "../prompt/scaling_task.hpp"
#include "../prompt/scripted_model.hpp"
#include "archive/stored_record.hpp"
#include "core/error.hpp"
#include "process/temporary_directory.hpp"
#include "scripted_backend.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

std::string answer_with(const std::string& source) {
  return "<name>\nscaled\n</name>\n<description>\nLoops.\n</description>\n<strategy>\nplain\n"
         "</strategy>\n<cpp>\n" +
         source + "\n</cpp>\n";
}

class TranslationTest : public testing::Test {
 protected:
  // Translates in an archive of its own, or goes on with the only run there. Attempt n is answered
  // with answers[n - 1].
  RunRow translate(const std::string& directory, const std::vector<std::string>& answers,
                   TranslationSettings settings = {}) {
    ScriptedTransport transport([&](const Question& question) {
      m_questions.emplace(question.call, question.messages.at(1).content);
      const auto failed = m_outcomes.find(question.call);
      if (failed != m_outcomes.end()) return Answer{.outcome = failed->second, .text = "cut"};
      if (question.purpose == "condense_error") return Answer{.text = "short of " + question.call};
      return Answer{.text = answers.at(static_cast<std::size_t>(question.proposal) - 1)};
    });
    RunRow row = with_transport(directory, &transport, settings);
    m_asked = transport.asked;
    return row;
  }

  RunRow with_transport(const std::string& directory, Transport* transport,
                        TranslationSettings settings, std::optional<RecordedRun> recorded = {}) {
    Archive archive(m_directory.path() / directory, Archive::Mode::create);
    const std::string run = archive.runs().empty()
                                ? archive.begin_run(m_entry, Device::cpu, 1, settings).id
                                : archive.runs().front().id;
    archive.hold(run);
    Journal journal(archive, run, recorded);
    ScriptedSession models(journal, transport, m_max_calls);
    TranslationPlan plan{.subject = {.task = m_task, .reference = {scaling_reference, "python"}},
                         .kernel = {.entry = m_entry},
                         .settings = settings,
                         .model = {.model = "stub/one"}};
    RunRow row = Translation(plan, archive, run, journal, m_backend, models.session).run();
    m_rows = archive.proposals(run);
    return row;
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
                     to_string(row.outcome), row.reason, row.reason_class, row.proposer,
                     row.strategy, row.source_hash, row.settings, row.record_hash});
    }
    return all;
  }

  [[nodiscard]] nlohmann::json shown(const std::string& call) const {
    return nlohmann::json::parse(m_questions.at(call));
  }

  TemporaryDirectory m_directory{"translation_test"};
  const Task m_task = scaling_task();
  const Entry m_entry{"scaling", Direction::forward};
  ScriptedBackend m_backend;
  std::map<std::string, std::string> m_questions;  // what was shown, by call
  std::map<std::string, ModelOutcome> m_outcomes;  // that are not ok, by call
  std::vector<ProposalRow> m_rows;
  int m_max_calls = 100;
  int m_asked = 0;
};

const std::string does_not_compile = answer_with("does not compile");
const std::string is_wrong = answer_with("is wrong later, takes 1");
const std::string is_right = answer_with("takes 50");

TEST_F(TranslationTest, EndsWithTheFirstRightAnswer) {
  const RunRow run = translate("a", {is_right});
  EXPECT_EQ(run.state, RunState::ended);
  EXPECT_EQ(run.stop_reason, "a right kernel");
  EXPECT_EQ(run.winner, 1);
  EXPECT_EQ(m_asked, 1);
  EXPECT_THAT(outcomes(), ElementsAre("accepted"));
  EXPECT_EQ(m_rows[0].proposer, "translate");
  EXPECT_EQ(m_rows[0].strategy, "plain");
  EXPECT_EQ(m_rows[0].settings["name"], "scaled");
  EXPECT_EQ(m_rows[0].settings["model"]["model"], "stub/one");
  EXPECT_THAT(m_rows[0].parents, IsEmpty());
}

TEST_F(TranslationTest, ShowsTheLastSourceAndItsCondensedErrorAndTheEarlierErrors) {
  const RunRow run = translate("a", {does_not_compile, is_wrong, is_right});
  EXPECT_EQ(run.winner, 3);
  EXPECT_THAT(outcomes(), ElementsAre("refused compile_error", "refused wrong_result", "accepted"));
  EXPECT_THAT(m_rows[1].reason, HasSubstr("not close"));
  EXPECT_TRUE(shown("translate/1")["last_code"].is_null());
  EXPECT_EQ(shown("condense_error/1")["error"], "line 1");
  const nlohmann::json third = shown("translate/3");
  EXPECT_EQ(third["last_code"], "is wrong later, takes 1\n");
  EXPECT_EQ(third["last_error"], "short of condense_error/2");
  EXPECT_EQ(third["earlier_errors"], nlohmann::json({"short of condense_error/1"}));
  EXPECT_EQ(m_asked, 5);
}

TEST_F(TranslationTest, ShowsErrorsAsTheyAreWhereNoneIsToBeCondensed) {
  (void)translate("a", {does_not_compile, is_right}, {.error_summary = false});
  EXPECT_EQ(shown("translate/2")["last_error"], "line 1");
  EXPECT_EQ(m_asked, 2);
}

TEST_F(TranslationTest, ShowsErrorsAsTheyAreWhereTheModelDoesNotCondenseThem) {
  m_outcomes["condense_error/1"] = ModelOutcome::error;
  EXPECT_EQ(translate("a", {does_not_compile, is_right}).winner, 2);
  EXPECT_EQ(shown("translate/2")["last_error"], "line 1");
}

TEST_F(TranslationTest, SaysWhatIsWrongWithAnAnswerWithoutASource) {
  m_outcomes = {{"translate/2", ModelOutcome::length}, {"translate/3", ModelOutcome::refusal}};
  (void)translate("a",
                  {"I cannot.", "", "", answer_with("// options: -wrapper /bin/true"), is_right});
  EXPECT_THAT(outcomes(), ElementsAre("refused malformed", "refused length", "refused refusal",
                                      "refused malformed", "accepted"));
  EXPECT_EQ(shown("translate/2")["last_code"], "I cannot.");
  EXPECT_THAT(shown("translate/2")["last_error"], HasSubstr("no <cpp> element"));
  EXPECT_EQ(m_asked, 5);
}

TEST_F(TranslationTest, HasNoWinnerWhereNoAttemptIsRight) {
  const RunRow run = translate("a", {does_not_compile, is_wrong}, {.attempts = 2});
  EXPECT_EQ(run.state, RunState::ended);
  EXPECT_EQ(run.stop_reason, "all attempts are made");
  EXPECT_EQ(run.winner, 0);
  EXPECT_EQ(run.summary["refused"], nlohmann::json({{"compile_error", 1}, {"wrong_result", 1}}));
  EXPECT_FALSE(m_questions.contains("condense_error/2"));
}

TEST_F(TranslationTest, KeepsTheFastestWhereItIsToMakeAllAttempts) {
  const RunRow run = translate(
      "a", {is_right, does_not_compile, answer_with("takes 20"), is_right, answer_with("takes 30")},
      {.attempts = 5, .exhaust = true});
  EXPECT_EQ(run.winner, 3);
  EXPECT_THAT(outcomes(), ElementsAre("kept", "refused compile_error", "accepted", "kept", "kept"));
  EXPECT_NEAR(run.summary["costs"]["3"].get<double>(), 0.4, 0.01);
}

TEST_F(TranslationTest, MakesIndependentAttemptsWithoutAnyErrors) {
  const RunRow run = translate("a", {does_not_compile, is_right, answer_with("takes 20")},
                               {.attempts = 3, .independent = true});
  EXPECT_EQ(run.winner, 3);
  EXPECT_EQ(m_asked, 3);
  EXPECT_EQ(m_questions.at("translate/3"), m_questions.at("translate/1"));
  EXPECT_THAT(outcomes(), ElementsAre("refused compile_error", "kept", "accepted"));
}

TEST_F(TranslationTest, StopsAtItsCapAndGoesOnUnderAHigherOne) {
  const std::vector<std::string> answers{does_not_compile, is_wrong, is_right};
  m_max_calls = 2;
  const RunRow stopped = translate("a", answers);
  EXPECT_EQ(stopped.state, RunState::interrupted);
  EXPECT_THAT(stopped.stop_reason, HasSubstr("no answer to attempt 2"));
  EXPECT_THAT(outcomes(), ElementsAre("refused compile_error", ""));
  m_max_calls = 100;
  EXPECT_EQ(translate("a", answers).winner, 3);
  EXPECT_EQ(m_asked, 3);
}

TEST_F(TranslationTest, EndsAlikeUnderReplayAndAsksAndEvaluatesNothing) {
  const std::vector<std::string> answers{does_not_compile, is_wrong, is_right};
  const std::string run = translate("recorded", answers).id;
  const auto expected = timeless();
  m_backend.calls = 0;
  const Archive archive(m_directory.path() / "recorded", Archive::Mode::read_only);
  EXPECT_EQ(with_transport("replayed", nullptr, {}, RecordedRun{archive, run}).winner, 3);
  EXPECT_EQ(timeless(), expected);
  EXPECT_EQ(m_backend.calls, 0);
}

// Kills a process of the run at each evaluation in turn, and goes on.
TEST_F(TranslationTest, GoesOnAfterAKillAndRepeatsNothing) {
  const std::vector<std::string> answers{is_wrong, does_not_compile, is_right};
  (void)translate("whole", answers);
  const auto expected = timeless();
  const int evaluations = m_backend.calls;
  ASSERT_EQ(evaluations, 5);
  const std::vector<int> asked_before{1, 1, 3, 5, 5};
  for (int at = 0; at < evaluations; ++at) {
    const std::string directory = "killed_" + std::to_string(at);
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      m_backend.calls = 0;
      m_backend.before_call = [&](int call) {
        if (call == at) _exit(killed);
      };
      (void)translate(directory, answers);
      _exit(0);
    }
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_EQ(WEXITSTATUS(status), killed);
    m_backend.calls = 0;
    EXPECT_EQ(translate(directory, answers).winner, 3);
    EXPECT_EQ(timeless(), expected) << at;
    EXPECT_EQ(m_backend.calls, evaluations - at);
    EXPECT_EQ(m_asked, 5 - asked_before[static_cast<std::size_t>(at)]) << at;
  }
}

}  // namespace
}  // namespace robust_kbench
