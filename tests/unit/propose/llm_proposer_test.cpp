#include "propose/llm_proposer.hpp"

#include <deque>
#include <limits>
#include <set>

#include "../prompt/scaling_task.hpp"
#include "../prompt/scripted_models.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::MatchesRegex;
using testing::UnorderedElementsAre;

std::string scaled_answer(const std::string& code) {
  return "<name>scaled</name>\n<description>It scales.</description>\n"
         "<strategy>scale it</strategy>\n<cpp>\n" +
         code + "\n</cpp>\n";
}

class LlmProposerTest : public ArchiveDirectory {
 protected:
  LlmProposerTest() {
    m_settings.models = {"a/one", "b/two", "c/three"};
    begin("run");
  }

  void begin(const std::string& run) {
    m_run.reset();
    m_run = std::make_unique<ScriptedRun>(m_directory / run,
                                          [this](const ScriptedQuestion&) { return m_answer; });
  }

  [[nodiscard]] LlmProposer proposer() {
    return {{.settings = m_settings,
             .seed = m_seed,
             .subject = {.task = m_task,
                         .reference = {scaling_reference, "python"},
                         .refused = {Capability::clocks, Capability::files}},
             .example = {.text = "the example"},
             .refused = [this] { return m_refused; },
             .stopped = [this] { return m_stopped; }},
            m_run->session};
  }
  [[nodiscard]] ProposalRequest request(std::int64_t id, bool has_begun = false) const {
    return {.parent = m_parent, .context = m_context, .id = id, .has_begun = has_begun};
  }
  Proposal propose(LlmProposer& proposer, std::int64_t id) {
    const ProposalRequest asked = request(id);
    return (*proposer.begin(asked))();
  }
  [[nodiscard]] const ScriptedQuestion& last_question() const {
    return m_run->model.questions.back();
  }
  // Proposes `count` times what gives no kernel.
  void fail(LlmProposer& proposer, std::int64_t first, int count) {
    m_answer = {.outcome = ModelOutcome::error, .message = "gone"};
    for (std::int64_t id = first; id < first + count; ++id) {
      const Proposal proposal = propose(proposer, id);
      proposer.learn({.text = "", .id = id, .failure = {"no_source", proposal.refused}});
    }
  }

  Task m_task = scaling_task();
  ModelSettings m_settings;
  int m_seed = 1;
  Candidate m_parent{.id = 1, .name = "plain", .text = "the parent"};
  std::vector<const Candidate*> m_context;
  Answer m_answer{.text = scaled_answer("int x;")};
  std::optional<std::string> m_refused;
  std::optional<std::string> m_stopped;
  std::unique_ptr<ScriptedRun> m_run;
};

TEST_F(LlmProposerTest, ReadsTheKernelAndWhatIsSaidOfIt) {
  LlmProposer llm = proposer();
  m_answer.ignored = {"temperature"};
  const Proposal proposal = propose(llm, 2);
  EXPECT_EQ(proposal.text, "int x;\n");
  EXPECT_EQ(proposal.strategy, "scale it");
  EXPECT_EQ(proposal.settings["name"], "scaled");
  EXPECT_EQ(proposal.settings["description"], "It scales.");
  EXPECT_EQ(proposal.settings["outcome"], "ok");
  EXPECT_THAT(proposal.settings["ignored"], ElementsAre("temperature"));
  EXPECT_EQ(last_question().call, "propose/2");
  EXPECT_EQ(last_question().data["example"]["code"], "the example");
  m_settings.examples = 0;
  begin("without");
  LlmProposer without = proposer();
  (void)propose(without, 1);
  EXPECT_TRUE(last_question().data["example"].is_null());
}

// A summary of a run is JSON, which holds whole characters alone.
TEST_F(LlmProposerTest, CutsALongStrategyBetweenCharacters) {
  LlmProposer llm = proposer();
  const std::string letters(159, 'a');  // a strategy has at most 160 bytes
  m_answer.text = "<strategy>" + letters + "é</strategy>\n<cpp>\nint x;\n</cpp>\n";
  EXPECT_EQ(propose(llm, 2).strategy, letters);
}

// Where many proposals are begun at a time, the order in which answers come must not matter.
TEST_F(LlmProposerTest, DrawsBySeedAndIdAlone) {
  const auto draws = [&](int seed, bool backwards) {
    begin(std::to_string(seed) + (backwards ? "_backwards" : ""));
    m_seed = seed;
    LlmProposer llm = proposer();
    std::map<std::int64_t, nlohmann::json> all;
    for (std::int64_t i = 0; i < 40; ++i) {
      const std::int64_t id = backwards ? 39 - i : i;
      all[id] = propose(llm, id).settings;
      all[id]["shown"] = last_question().data["recommendations"];
    }
    return all;
  };
  const auto first = draws(1, false);
  std::set<std::string> models;
  std::set<nlohmann::json> choices;
  for (const auto& [id, settings] : first) {
    models.insert(settings["model"]);
    choices.insert(settings);
  }
  EXPECT_THAT(models, UnorderedElementsAre("a/one", "b/two", "c/three"));
  EXPECT_GT(choices.size(), 20);
  EXPECT_EQ(draws(1, true), first);
  EXPECT_NE(draws(2, false), first);
}

TEST_F(LlmProposerTest, ShowsOtherKernelsAsTheContextSays) {
  const Candidate other{.id = 2, .name = "other", .text = "another kernel", .cost = 2};
  m_context = {&other};
  LlmProposer top = proposer();
  propose(top, 2);
  EXPECT_EQ(last_question().data["kernels"].size(), 2);
  m_settings.context = "best";
  LlmProposer best = proposer();
  propose(best, 3);
  ASSERT_EQ(last_question().data["kernels"].size(), 1);
  EXPECT_EQ(last_question().data["kernels"][0]["code"], "the parent");
}

TEST_F(LlmProposerTest, ShowsRandomKernelsWhereTheContextSaysSo) {
  std::deque<Candidate> others;
  for (int i = 2; i <= 20; ++i) {
    others.push_back(
        {.id = i, .name = std::to_string(i), .text = "", .cost = static_cast<double>(i)});
    m_context.push_back(&others.back());
  }
  m_settings.context = "random";
  m_settings.context_size = 10;
  LlmProposer llm = proposer();
  std::set<nlohmann::json> shown;
  for (std::int64_t id = 21; id <= 40; ++id) {
    propose(llm, id);
    EXPECT_EQ(last_question().data["kernels"].size(), 10);
    for (const nlohmann::json& kernel : last_question().data["kernels"]) {
      shown.insert(kernel["idea"]);
    }
  }
  EXPECT_EQ(shown.size(), 20) << "the parent and each of the others, slow ones, too";
}

TEST_F(LlmProposerTest, SendsAFailureBackOnce) {
  LlmProposer llm = proposer();
  const Proposal failed = propose(llm, 2);
  llm.learn({.text = failed.text, .id = 2, .failure = {"compile_error", "expected ';'"}});
  const Proposal repaired = propose(llm, 3);
  EXPECT_EQ(last_question().prompt, "repair");
  EXPECT_EQ(last_question().data["text"], "int x;\n");
  EXPECT_EQ(last_question().data["failure"], "compile_error");
  EXPECT_THAT(last_question().data["error"].get<std::string>(), HasSubstr("expected ';'"));
  EXPECT_EQ(repaired.settings["repairs"], 2);
  EXPECT_EQ(m_run->model.asked[1].model, m_run->model.asked[0].model);
  llm.learn({.text = repaired.text, .id = 3, .failure = {"wrong_result", "not close"}});
  propose(llm, 4);
  EXPECT_EQ(last_question().prompt, "propose");
}

TEST_F(LlmProposerTest, AsksForARepairUnderTheRulesOfTheFirstAnswer) {
  m_parent.kernel.allowed = {Capability::clocks};
  LlmProposer llm = proposer();
  const Proposal failed = propose(llm, 2);
  const nlohmann::json refused = last_question().data["contract"]["refused"];
  ASSERT_EQ(refused.size(), 1);
  EXPECT_EQ(refused[0]["name"], "files");
  llm.learn({.text = failed.text, .id = 2, .failure = {"compile_error", "expected ';'"}});
  propose(llm, 3);
  EXPECT_EQ(last_question().prompt, "repair");
  EXPECT_EQ(last_question().data["contract"]["refused"], refused);
}

TEST_F(LlmProposerTest, SendsAnAnswerBackWhoseSourceCannotBeRead) {
  LlmProposer llm = proposer();
  m_answer.text = "<name>Not A Name</name>\n<cpp>\nPYBIND11_MODULE(X, m) {}\n</cpp>\n";
  const Proposal failed = propose(llm, 2);
  EXPECT_EQ(failed.text, "");
  llm.learn({.text = "", .id = 2, .failure = {"no_source", failed.refused}});
  propose(llm, 3);
  EXPECT_EQ(last_question().prompt, "repair");
  EXPECT_EQ(last_question().data["text"], m_answer.text);
  EXPECT_EQ(last_question().data["failure"], "malformed");
}

TEST_F(LlmProposerTest, AsksTheWholeTaskAgainAfterAnAnswerInProse) {
  LlmProposer llm = proposer();
  const std::string prose = "I would bind it by PYBIND11_MODULE, with wider loads.";
  m_answer.text = prose;
  const Proposal failed = propose(llm, 2);
  EXPECT_TRUE(last_question().data["earlier_answer"].is_null());
  llm.learn({.text = "", .id = 2, .failure = {"no_source", failed.refused}});
  m_answer.text = scaled_answer("int x;");
  const Proposal again = propose(llm, 3);
  EXPECT_EQ(last_question().prompt, "propose");
  EXPECT_EQ(m_run->model.asked.back().stage, "repair");
  EXPECT_EQ(last_question().data["kernels"].back()["code"], "the parent");
  EXPECT_EQ(last_question().data["earlier_answer"],
            nlohmann::json({{"text", prose}, {"reason", failed.refused}}));
  EXPECT_EQ(again.text, "int x;\n");
  EXPECT_EQ(again.settings["repairs"], 2);
  EXPECT_EQ(m_run->model.asked[1].model, m_run->model.asked[0].model);
}

TEST_F(LlmProposerTest, SaysWhatFailedInWords) {
  LlmProposer llm = proposer();
  KernelRecord record{
      .judgement = wrong_result("not close\nrkb test --case a --nonce 0x2a"),
      .cases = {{.name = "a", .judgement = {}}, {.name = "b", .judgement = passed()}}};
  record.cases.front().judgement = record.judgement;
  llm.learn({.text = propose(llm, 2).text,
             .id = 2,
             .failure = {"wrong_result", record.judgement.reason, record}});
  propose(llm, 3);
  EXPECT_EQ(last_question().data["error"],
            "Of 2 cases, 1 failed and 1 passed.\n\na: wrong_result\nnot close\n\nPassed: b\n");
}

TEST_F(LlmProposerTest, SendsBackNeitherWhatIsSlowerNorWhatCheats) {
  LlmProposer llm = proposer();
  std::int64_t id = 2;
  for (const char* reason : {"slower", "no_gain", "duplicate", "cheat", "sandbox_violation",
                             "unsafe", "outranked", "voted_out"}) {
    llm.learn({.text = propose(llm, id).text, .id = id, .failure = {reason, ""}});
    EXPECT_EQ(last_question().prompt, "propose") << reason;
    ++id;
  }
  llm.learn({.text = propose(llm, id).text, .accepted = true, .speedup = 2, .id = id});
  propose(llm, id + 1);
  EXPECT_EQ(last_question().prompt, "propose");
}

TEST_F(LlmProposerTest, SendsNothingBackWithoutRepairs) {
  m_settings.repairs = 0;
  LlmProposer llm = proposer();
  llm.learn({.text = propose(llm, 2).text, .id = 2, .failure = {"compile_error", ""}});
  propose(llm, 3);
  EXPECT_EQ(last_question().prompt, "propose");
}

TEST_F(LlmProposerTest, SaysWhyNoAnswerCame) {
  LlmProposer llm = proposer();
  m_answer = {.outcome = ModelOutcome::refusal, .message = "not this"};
  const Proposal proposal = propose(llm, 2);
  EXPECT_EQ(proposal.text, "");
  EXPECT_THAT(proposal.refused, HasSubstr("refusal not this"));
  llm.learn({.text = "", .id = 2, .failure = {"no_source", proposal.refused}});
  m_answer.outcome = ModelOutcome::ok;
  propose(llm, 3);  // there is nothing to send back
  EXPECT_EQ(last_question().prompt, "propose");
}

TEST_F(LlmProposerTest, SaysWhyAnAnswerIsEmpty) {
  LlmProposer llm = proposer();
  m_answer = {.message = "the content was empty; raise max_output_tokens"};
  EXPECT_THAT(propose(llm, 2).refused,
              MatchesRegex("./[a-z]+: the content was empty; raise max_output_tokens"));
}

TEST_F(LlmProposerTest, EndsTheRunAfterManyFailuresInARow) {
  LlmProposer llm = proposer();
  fail(llm, 2, LlmProposer::most_failures - 1);
  EXPECT_FALSE(llm.silence().ends_run);
  fail(llm, 20, 1);
  EXPECT_TRUE(llm.silence().ends_run);
  EXPECT_THAT(llm.silence().reason, HasSubstr("8 questions in a row gave no kernel"));
  EXPECT_FALSE(llm.begin(request(21)));
}

TEST_F(LlmProposerTest, FallsSilentAfterManyFailuresWhereTheRunGoesOn) {
  m_settings.on_model_failure = "go_on";
  LlmProposer llm = proposer();
  fail(llm, 2, LlmProposer::most_failures);
  EXPECT_FALSE(llm.silence().ends_run);
  EXPECT_FALSE(llm.begin(request(20)));
  EXPECT_THAT(llm.silence().reason, HasSubstr("gave no kernel"));
}

TEST_F(LlmProposerTest, CountsFailuresInARowAlone) {
  LlmProposer llm = proposer();
  fail(llm, 2, LlmProposer::most_failures - 1);
  m_answer = {.text = scaled_answer("int x;")};
  llm.learn({.text = propose(llm, 20).text, .id = 20, .failure = {"slower", ""}});
  fail(llm, 30, LlmProposer::most_failures - 1);
  EXPECT_FALSE(llm.silence().ends_run);
}

TEST_F(LlmProposerTest, TriesAgainWhatFailedInAnEarlierProcess) {
  LlmProposer llm = proposer();
  m_answer = {.outcome = ModelOutcome::error, .message = "gone"};
  for (std::int64_t id = 2; id < 2 + LlmProposer::most_failures; ++id) {
    const ProposalRequest known = request(id, true);
    const Proposal proposal = (*llm.begin(known))();
    llm.learn({.text = "", .id = id, .failure = {"", proposal.refused}});
  }
  EXPECT_FALSE(llm.silence().ends_run);
  EXPECT_TRUE(llm.begin(request(20)));
}

TEST_F(LlmProposerTest, AsksNothingWhereNothingMayBeAsked) {
  LlmProposer llm = proposer();
  m_refused = "the cap of 3 calls is reached";
  EXPECT_FALSE(llm.begin(request(2)));
  EXPECT_EQ(llm.silence().reason, *m_refused);
  EXPECT_FALSE(llm.silence().ends_run);  // other proposers go on
  const ProposalRequest begun = request(3, true);
  EXPECT_TRUE(llm.begin(begun));  // its answer may be known
  m_stopped = "a bill was too high";
  EXPECT_TRUE(llm.silence().ends_run);
  EXPECT_EQ(llm.silence().reason, *m_stopped);
}

TEST_F(LlmProposerTest, CountsNoQuestionAsFailedThatWasNotGranted) {
  LlmProposer llm = proposer();
  m_answer = {.outcome = ModelOutcome::not_granted};
  for (std::int64_t id = 2; id < 20; ++id) {
    const Proposal proposal = propose(llm, id);
    EXPECT_THAT(proposal.refused, HasSubstr("not_granted"));
    llm.learn({.text = "", .id = id, .failure = {"no_source", proposal.refused}});
  }
  EXPECT_FALSE(llm.silence().ends_run);
  EXPECT_THAT(llm.silence().reason, IsEmpty());
}

TEST_F(LlmProposerTest, TakesAdviceFromWhomTheSettingsSay) {
  m_parent.profile =
      ProfileRecord{.advice = {{.rule = "occupancy", .text = "Use fewer registers."}}};
  LlmProposer rules = proposer();
  propose(rules, 2);
  EXPECT_THAT(last_question().data["advice"], ElementsAre("Use fewer registers."));
  m_settings.profile_summary = "off";
  LlmProposer off = proposer();
  propose(off, 3);
  EXPECT_THAT(last_question().data["advice"], IsEmpty());
  m_settings.profile_summary = "llm";
  LlmProposer models = proposer();
  m_answer.text = "1. Unroll.\n";
  propose(models, 4);
  EXPECT_THAT(last_question().data["advice"], ElementsAre("1. Unroll."));
}

TEST_F(LlmProposerTest, TakesTheTurnsThatTuneLeaves) {
  m_settings.tune_share = 0.25;
  EXPECT_DOUBLE_EQ(proposer().facts().share, 3);
  m_settings.tune_share = 0.4;
  EXPECT_DOUBLE_EQ(proposer().facts().share, 1.5);
  m_settings.tune_share = 0.9;
  EXPECT_NEAR(proposer().facts().share, 1.0 / 9, 1e-9);
  m_settings.tune_share = 0;
  EXPECT_EQ(proposer().facts().share, std::numeric_limits<double>::infinity());
}

}  // namespace
}  // namespace robust_kbench
