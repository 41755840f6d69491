#include "verify/verifier_tuning.hpp"

#include <algorithm>

#include "../prompt/scaling_task.hpp"
#include "../prompt/scripted_models.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// The verdict of the scripted verifier is a function of words. It finds a defect where its
// instructions name it, and with the word "panic" it finds one everywhere.
Answer review(const ScriptedQuestion& question) {
  const nlohmann::json& given = question.data["instructions"];
  const std::string instructions = given.is_null() ? "" : given.get<std::string>();
  const std::string code = question.data["code"];
  bool alarm = has(instructions, "panic");
  for (const char* word : {"alpha", "beta", "gamma"}) {
    if (has(instructions, word) && has(code, std::string("defect_") + word)) alarm = true;
  }
  return verdict_answer(question.mark, !alarm, "formula", "as I was told");
}

class VerifierTuningTest : public ArchiveDirectory {
 protected:
  [[nodiscard]] KnownKernel kernel(const std::string& code, bool valid) const {
    return {.name = code,
            .subject = &m_subject,
            .code = "int " + code + ";  // a comment\n",
            .truth = {valid, valid ? "" : "wrong_result: y differs in " + code}};
  }
  [[nodiscard]] VerifierTuningPlan plan(int generations) const {
    return {.verifier = Verifier::numerics,
            .tuning = {kernel("defect_alpha", false), kernel("defect_beta", false),
                       kernel("defect_gamma", false), kernel("clean_one", true),
                       kernel("clean_two", true), kernel("clean_three", true)},
            // With what is best on the tuning split, these are judged worse than before it.
            .held_out = {kernel("secret_defect_gamma", true), kernel("secret_clean", true)},
            .verifies = {.choice = {"stub/verifier"}, .reflections = 0, .side_by_side = 2},
            .writer = {"stub/writer"},
            .generations = generations};
  }
  // Tunes with a writer that offers these texts, one a generation.
  VerifierTuningResult tune(const std::vector<std::string>& offered,
                            std::function<std::optional<std::string>()> refused = {}) {
    ScriptedRun run(place(), [&](const ScriptedQuestion& question) {
      if (question.prompt == "condense_mistakes") return Answer{.text = "It overlooks defects."};
      if (question.prompt != "tune_verifier") return review(question);
      const std::string number = question.call.substr(question.call.find('/') + 1);
      return Answer{.text = offered.at(std::stoul(number) - 1)};
    });
    VerifierTuningPlan made = plan(static_cast<int>(offered.size()));
    if (refused) made.refused = std::move(refused);
    VerifierTuningResult result = VerifierTuning(made, run.session).run();
    m_questions = run.model.questions;
    m_asked = run.model.asked;
    return result;
  }
  static std::string answer(const std::string& instructions) {
    return "Let me think.\n<instructions>\n" + instructions + "\n</instructions>\n";
  }
  static std::vector<std::string> outcomes(const VerifierTuningResult& result) {
    std::vector<std::string> all;
    for (const TuningGeneration& generation : result.generations) {
      all.push_back(generation.outcome);
    }
    return all;
  }
  [[nodiscard]] std::vector<ScriptedQuestion> asked_by(const std::string& prompt) const {
    std::vector<ScriptedQuestion> found;
    for (const ScriptedQuestion& question : m_questions) {
      if (question.prompt == prompt) found.push_back(question);
    }
    return found;
  }

  Task m_task = scaling_task();
  PromptSubject m_subject{.task = m_task, .reference = {scaling_reference, "python"}};
  std::vector<ScriptedQuestion> m_questions;
  std::vector<Question> m_asked;
};

TEST_F(VerifierTuningTest, ReachesTheBestAndTriesNothingTwice) {
  const VerifierTuningResult result =
      tune({answer("look for alpha"), answer("panic"), answer("Look  for\nALPHA"),
            answer("  PANIC "), answer("look for alpha and beta"), "I have none.",
            answer("look for alpha, beta and gamma")});
  EXPECT_THAT(outcomes(result), ElementsAre("first", "accepted", "rejected", "repeated", "repeated",
                                            "accepted", "unreadable", "accepted"));
  EXPECT_EQ(result.instructions, "look for alpha, beta and gamma");
  EXPECT_EQ(result.tuning, (ConfusionMatrix{.found = 3, .let_through = 3}));
  // Five instructions were tried on six kernels, and the best ones on the two that were held out.
  EXPECT_EQ(asked_by("verify_numerics").size(), 5 * 6 + 2);
}

// A prompt shows instructions outside of fences, and has to leave room for the kernel.
TEST_F(VerifierTuningTest, TriesNoInstructionsThatAreTooLong) {
  std::string words;
  for (int i = 0; i < 1201; ++i) words += "at ";
  const VerifierTuningResult result =
      tune({answer("alpha " + std::string(7994, 'x')), answer("beta " + std::string(7996, 'x')),
            answer("beta " + words)});
  EXPECT_THAT(outcomes(result), ElementsAre("first", "accepted", "unreadable", "unreadable"));
  EXPECT_EQ(asked_by("verify_numerics").size(), 2 * 6 + 2);
}

TEST_F(VerifierTuningTest, EndsWhereNoMistakeIsLeft) {
  const VerifierTuningResult result =
      tune({answer("alpha beta gamma"), answer("this is never asked for")});
  EXPECT_EQ(result.generations.size(), 2);
  EXPECT_EQ(asked_by("tune_verifier").size(), 1);
  EXPECT_THAT(result.stop_reason, HasSubstr("no mistake is left"));
}

TEST_F(VerifierTuningTest, ChoosesByTheTuningSplitAloneAndReadsTheOtherOnce) {
  const VerifierTuningResult result = tune({answer("alpha"), answer("alpha beta gamma")});
  EXPECT_EQ(result.instructions, "alpha beta gamma");
  EXPECT_EQ(result.held_out, (ConfusionMatrix{.false_alarms = 1, .let_through = 1}));
  std::size_t held_out = 0;
  for (std::size_t i = 0; i < m_questions.size(); ++i) {
    if (!has(m_questions[i].data.dump(), "secret")) continue;
    ++held_out;
    EXPECT_EQ(m_questions[i].prompt, "verify_numerics");
    EXPECT_GE(i, m_questions.size() - 2) << "before the end";
  }
  EXPECT_EQ(held_out, 2);
}

TEST_F(VerifierTuningTest, ShowsTheWriterWhatWasTriedAndWhatWentWrong) {
  (void)tune({answer("alpha"), answer("panic"), answer("alpha beta")});
  const auto writer = asked_by("tune_verifier");
  ASSERT_EQ(writer.size(), 3);
  EXPECT_EQ(writer[0].data["tried"].size(), 1);
  EXPECT_EQ(writer[0].data["tried"][0]["accuracy"], 0.5);
  EXPECT_EQ(writer[0].data["mistakes"], "It overlooks defects.");
  EXPECT_EQ(writer[0].data["rejected"].size(), 0);
  const nlohmann::json& last = writer[2].data;
  EXPECT_EQ(last["tried"][1]["instructions"], "alpha");
  EXPECT_NEAR(last["tried"][1]["accuracy"].get<double>(), 4.0 / 6, 1e-9);
  EXPECT_EQ(last["tried"][1]["precision"], 1);
  EXPECT_EQ(last["rejected"], nlohmann::json({"panic"}));
  // Once for the first instructions and once for "alpha", whose mistakes are two.
  const auto condensed = asked_by("condense_mistakes");
  ASSERT_EQ(condensed.size(), 2);
  const nlohmann::json& mistakes = condensed[1].data["mistakes"];
  ASSERT_EQ(mistakes.size(), 2);
  EXPECT_EQ(mistakes[0]["overlooked"], true);
  EXPECT_EQ(mistakes[0]["code"], "int defect_beta;\n");
  EXPECT_EQ(mistakes[0]["truth"], "wrong_result: y differs in defect_beta");
  EXPECT_THAT(mistakes[0]["answer"].get<std::string>(), HasSubstr("as I was told"));
}

TEST_F(VerifierTuningTest, AsksNothingTwiceInARunThatGoesOn) {
  const std::vector<std::string> offered{answer("alpha"), answer("panic"), answer("alpha beta")};
  const VerifierTuningResult first = tune(offered);
  EXPECT_FALSE(m_questions.empty());
  const VerifierTuningResult again = tune(offered);
  EXPECT_TRUE(m_questions.empty());
  EXPECT_EQ(to_json_object(again), to_json_object(first));
}

TEST_F(VerifierTuningTest, StopsWhereNoModelMayBeAskedAndGoesOnLater) {
  const std::vector<std::string> offered{answer("alpha"), answer("alpha beta")};
  int looks = 0;
  const VerifierTuningResult stopped = tune(offered, [&]() -> std::optional<std::string> {
    return ++looks > 2 ? std::optional<std::string>("the cap is reached") : std::nullopt;
  });
  EXPECT_THAT(outcomes(stopped), ElementsAre("first", "accepted"));
  EXPECT_EQ(stopped.stop_reason, "the cap is reached");
  EXPECT_FALSE(stopped.held_out);
  const VerifierTuningResult finished = tune(offered);
  EXPECT_EQ(finished.instructions, "alpha beta");
  EXPECT_TRUE(finished.held_out);
  EXPECT_EQ(asked_by("tune_verifier").size(), 1);
}

// No question of a run that stopped so is lost: only those that failed are asked again.
TEST_F(VerifierTuningTest, DecidesNothingAfterAFailureAndGoesOnLater) {
  VerifierTuningPlan made = plan(1);
  made.tuning.resize(4);
  for (const char* failing :
       {"tune_verifier/1/kernel/4/numerics", "tune_verifier/1/mistakes",
        "tune_verifier/1/instructions", "tune_verifier/held_out/kernel/2/numerics"}) {
    const auto answers = [&](const ScriptedQuestion& question) {
      if (question.prompt == "condense_mistakes") return Answer{.text = "Nothing."};
      if (question.prompt == "tune_verifier") return Answer{.text = answer("beta")};
      return review(question);
    };
    std::size_t asked = 0;
    {
      ScriptedRun run(place(), [&](const ScriptedQuestion& question) {
        if (question.call != failing) return answers(question);
        return Answer{.outcome = ModelOutcome::error, .message = "the endpoint is gone"};
      });
      const VerifierTuningResult stopped = VerifierTuning(made, run.session).run();
      EXPECT_FALSE(stopped.held_out) << failing;
      EXPECT_THAT(stopped.stop_reason, HasSubstr("the endpoint is gone")) << failing;
      asked = run.model.asked.size();
    }
    ScriptedRun again(place(), answers);
    const VerifierTuningResult result = VerifierTuning(made, again.session).run();
    EXPECT_THAT(outcomes(result), ElementsAre("first", "accepted")) << failing;
    EXPECT_TRUE(result.held_out) << failing;
    EXPECT_EQ(asked + again.model.asked.size(), 2 * 4 + 2 + 2 + 1) << failing;
    std::filesystem::remove_all(place());
  }
}

TEST_F(VerifierTuningTest, CountsItsCostsApart) {
  (void)tune({answer("alpha")});
  for (const Question& question : m_asked) {
    EXPECT_EQ(question.stage, "tune_verifier");
    const bool writes = question.purpose == "instructions" || question.purpose == "mistakes";
    EXPECT_EQ(question.model, writes ? "stub/writer" : "stub/verifier");
    EXPECT_TRUE(writes || question.purpose == "numerics");
  }
}

}  // namespace
}  // namespace robust_kbench
