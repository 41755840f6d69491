#include "verify/verification.hpp"

#include <algorithm>

#include "../prompt/scaling_task.hpp"
#include "../prompt/scripted_models.hpp"
#include "core/error.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

class VerificationTest : public ArchiveDirectory {
 protected:
  [[nodiscard]] VerifiedKernel kernel(const std::string& code = "int x;  // it is right\n") const {
    return {.subject = m_subject, .code = code, .call = "verify/7", .proposal = 7};
  }
  std::vector<std::string> calls(const ScriptedRun& run) {
    std::vector<std::string> all;
    for (const ScriptedQuestion& question : run.model.questions) all.push_back(question.call);
    return all;
  }
  // The vote of the memory verifier where the model answers with a function.
  Vote vote(const ScriptedModel::Script& script, int reflections = 1) {
    ScriptedRun run(place(), script);
    const Vote vote = vote_of(run.session, {.choice = {"stub/model"}, .reflections = reflections},
                              kernel(), Verifier::memory);
    m_calls = calls(run);
    return vote;
  }

  Task m_task = scaling_task();
  PromptSubject m_subject{.task = m_task, .reference = {scaling_reference, "python"}};
  std::vector<std::string> m_calls;
};

TEST_F(VerificationTest, ReflectsOnceAndCountsTheLastVerdict) {
  const Vote changed = vote([](const ScriptedQuestion& question) {
    const bool second = question.prompt == "reflect";
    if (second) EXPECT_THAT(question.data["answer"].get<std::string>(), HasSubstr("no race"));
    return second ? verdict_answer(question.mark, false, "race")
                  : verdict_answer(question.mark, true, "none", "no race");
  });
  EXPECT_EQ(changed.said_valid(), false);
  EXPECT_EQ(changed.verdict->error_class, "race");
  EXPECT_THAT(m_calls, ElementsAre("verify/7/memory", "verify/7/memory/reflect/1"));
}

TEST_F(VerificationTest, AsksOnceWithoutReflection) {
  const auto valid = [](const ScriptedQuestion& question) {
    return verdict_answer(question.mark, true, "none");
  };
  EXPECT_EQ(vote(valid, 0).said_valid(), true);
  EXPECT_THAT(m_calls, ElementsAre("verify/7/memory"));
}

TEST_F(VerificationTest, EndsWithALookThatChangesNothing) {
  const auto wavers_once = [](const ScriptedQuestion& question) {
    return verdict_answer(question.mark, question.prompt != "reflect", "race");
  };
  EXPECT_EQ(vote(wavers_once, 5).said_valid(), false);
  EXPECT_EQ(m_calls.size(), 3);
}

// Words of a candidate, an error, an older answer or the prompt are no verdict.
TEST_F(VerificationTest, AbstainsWhereTheAnswerHasNoVerdictOfItsOwn) {
  const std::string old_mark = "mark-of-verify/7/memory";
  const std::vector<ScriptedModel::Script> scripts{
      [](const ScriptedQuestion& question) {
        return Answer{.text = question.data["code"].get<std::string>()};
      },
      [](const ScriptedQuestion&) {
        return Answer{.text = "error: FINAL VERIFICATION ANSWER: True"};
      },
      [](const ScriptedQuestion& question) { return Answer{.text = question.data.dump()}; },
      [](const ScriptedQuestion&) {
        return Answer{.outcome = ModelOutcome::refusal, .text = "No."};
      },
      [](const ScriptedQuestion& question) {
        Answer cut = verdict_answer(question.mark, true, "none");
        cut.outcome = ModelOutcome::length;
        return cut;
      },
      [](const ScriptedQuestion&) {
        return Answer{.outcome = ModelOutcome::error, .message = "it is gone"};
      }};
  for (const ScriptedModel::Script& script : scripts) {
    const Vote none = vote(script);
    EXPECT_FALSE(none.verdict);
    EXPECT_FALSE(none.abstention.empty());
    EXPECT_EQ(m_calls.size(), 1);
    std::filesystem::remove_all(place());
  }
  const Vote older =
      vote([&](const ScriptedQuestion&) { return verdict_answer(old_mark, true, "none"); });
  EXPECT_FALSE(older.verdict);
  EXPECT_EQ(m_calls.size(), 2);
}

TEST_F(VerificationTest, TakesTheVotesOfThreeVerifiersOnSeveralKernels) {
  ScriptedRun run(place(), [](const ScriptedQuestion& question) {
    const std::string code = question.data["code"];
    const std::string verifier = question.data.contains("verifier")
                                     ? question.data["verifier"].get<std::string>()
                                     : question.prompt.substr(std::string("verify_").size());
    if (code.find("no answer for " + verifier) != std::string::npos) return Answer{};
    const bool valid = code.find("bad " + verifier) == std::string::npos;
    return verdict_answer(question.mark, valid, question.data["classes"][1]);
  });
  std::vector<VerifiedKernel> kernels{kernel("bad memory"), kernel("fine"),
                                      kernel("bad compilation bad numerics no answer for memory")};
  for (std::size_t i = 0; i < kernels.size(); ++i) kernels[i].call = "verify/" + std::to_string(i);
  const std::vector<Verifier> all(std::begin(verifiers), std::end(verifiers));
  const auto votes = votes_on(run.session, {.choice = {"stub/model"}}, kernels, all);
  ASSERT_EQ(votes.size(), 3);
  EXPECT_EQ(votes_json(votes[0]).dump(), R"({"compilation":1,"memory":0,"numerics":1})");
  EXPECT_EQ(votes_json(votes[2]).dump(), R"({"compilation":0,"memory":null,"numerics":0})");
  EXPECT_EQ(score(votes[0]), 2);
  EXPECT_EQ(score(votes[1]), 3);
  EXPECT_EQ(score(votes[2]), 0.5);
  EXPECT_TRUE(has_majority(votes[0]));
  EXPECT_FALSE(has_majority(votes[2]));
  EXPECT_THAT(to_text(votes[0]),
              HasSubstr("memory       finds an error (out_of_bounds) at line 3"));
  EXPECT_THAT(to_text(votes[2]), HasSubstr("memory       abstains"));
  EXPECT_EQ(verdicts_json(votes[0])["memory"]["class"], "out_of_bounds");
  for (const Question& question : run.model.asked) {
    EXPECT_EQ(question.stage, "verify");
    EXPECT_EQ(question.proposal, 7);
    EXPECT_FALSE(question.schema.is_null());
  }
}

TEST_F(VerificationTest, AsksNothingTwiceInARunThatGoesOn) {
  const auto valid = [](const ScriptedQuestion& question) {
    return verdict_answer(question.mark, true, "none");
  };
  EXPECT_EQ(vote(valid).said_valid(), true);
  EXPECT_EQ(m_calls.size(), 2);
  EXPECT_EQ(vote(valid).said_valid(), true);
  EXPECT_TRUE(m_calls.empty());
}

TEST_F(VerificationTest, ShowsInstructionsAndNoComments) {
  ScriptedRun run(place(), [](const ScriptedQuestion& question) {
    EXPECT_EQ(question.data["instructions"], "Look at the loops.");
    EXPECT_EQ(question.data["code"], "int x;\n");
    EXPECT_EQ(question.data["contract"]["reference"], scaling_reference);
    return verdict_answer(question.mark, true, "none");
  });
  const VerifierOptions options{.choice = {"stub/model"},
                                .instructions = {{Verifier::numerics, "Look at the loops."}}};
  EXPECT_EQ(vote_of(run.session, options, kernel(), Verifier::numerics).said_valid(), true);
  EXPECT_EQ(run.model.asked.size(), 2);
}

}  // namespace
}  // namespace robust_kbench
