#include "prompt/model_session.hpp"

#include <algorithm>

#include "core/error.hpp"
#include "scripted_models.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

const ModelRequest request{.call = "propose/7",
                           .stage = "propose",
                           .purpose = "numerics",
                           .proposal = 7,
                           .prompt = "propose",
                           .data = {{"speedup", 2}}};

class ModelSessionTest : public ArchiveDirectory {
 protected:
  // A renderer that may be started once more.
  class CountedRenderer : public JsonRenderer {
   public:
    explicit CountedRenderer(int& rendered) : m_rendered(rendered) {}
    Rendered render(const std::string& prompt, const nlohmann::json& data,
                    const std::string& secret, const std::string& call) override {
      ++m_rendered;
      if (prompt == "missing") throw UserError("there is no prompt 'missing'");
      return JsonRenderer::render(prompt, data, secret, call);
    }

   private:
    int& m_rendered;
  };

  // The reply of a session of its own, which goes on with the run.
  ModelReply reply(const ModelRequest& asked, const ModelChoice& choice = {.model = "a/one"}) {
    Journal journal(m_archive, m_run);
    Ledger ledger(m_archive, {.cap = {}});
    ModelClient client(journal, ledger, &m_model);
    CountedRenderer renderer(m_rendered);
    ModelSession session(
        client, journal, "ab",
        [&]() -> Renderer& {
          ++m_started;
          return renderer;
        },
        9, usual_scrubber(place(), {"/gpfs/build"}));
    return session.ask(asked, choice);
  }

  Archive m_archive{place(), Archive::Mode::create};
  std::string m_run = m_archive.begin_run({"scaling", Direction::forward}, Device::cpu, 1, {}).id;
  Answer m_answer{.text = "an answer", .finish_reason = "stop"};
  ScriptedModel m_model{[this](const ScriptedQuestion&) { return m_answer; }};
  int m_started = 0;
  int m_rendered = 0;
};

TEST_F(ModelSessionTest, AsksWhatTheRequestAndTheChoiceSay) {
  const ModelReply answered = reply(
      request, {.model = "b/two", .temperature = 0.5, .effort = "high", .max_output_tokens = 300});
  EXPECT_EQ(answered.answer, m_answer);
  EXPECT_EQ(answered.mark, "mark-of-propose/7ab");
  const Question& question = m_model.asked.at(0);
  EXPECT_EQ(question.stage, "propose");
  EXPECT_EQ(question.purpose, "numerics");
  EXPECT_EQ(question.proposal, 7);
  EXPECT_EQ(question.model, "b/two");
  EXPECT_EQ(question.temperature, 0.5);
  EXPECT_EQ(question.effort, "high");
  EXPECT_EQ(question.max_output_tokens, 300);
  EXPECT_EQ(question.timeout_s, 9);
  EXPECT_EQ(m_model.questions.at(0).data, request.data);
}

TEST_F(ModelSessionTest, FillsPromptsInWithoutPathsAndKeys) {
  ModelRequest asked = request;
  asked.data = {{"error", place().string() + "/runs/r/7/kernel.cpp:3: no"},
                {"kernels", {{{"code", "#include \"/gpfs/build/x/a.h\""}}}}};
  reply(asked);
  EXPECT_EQ(m_model.questions.at(0).data,
            nlohmann::json({{"error", ".../kernel.cpp:3: no"},
                            {"kernels", {{{"code", "#include \".../a.h\""}}}}}));
}

TEST_F(ModelSessionTest, AsksAndRendersNothingTwiceInARun) {
  const ModelReply first = reply(request);
  m_answer.text = "another one";
  const ModelReply again = reply(request);
  EXPECT_EQ(again.answer, first.answer);
  EXPECT_EQ(again.mark, first.mark);
  EXPECT_EQ(m_model.asked.size(), 1);
  EXPECT_EQ(m_rendered, 1);
  EXPECT_EQ(m_started, 1);  // nothing is started for a prompt that is known
}

TEST_F(ModelSessionTest, KeepsAFailureWithWhichTheRunGoesOn) {
  m_answer = {.outcome = ModelOutcome::error, .message = "connection refused"};
  const ModelReply failed = reply(request);
  m_answer = {.text = "too late"};
  EXPECT_EQ(reply(request).answer, failed.answer);
  EXPECT_EQ(m_model.asked.size(), 1);
}

TEST_F(ModelSessionTest, SaysOnceForEachModelWhichSettingsAreIgnored) {
  ScriptedRun run(m_directory / "ignored", [](const ScriptedQuestion&) {
    return Answer{.text = "an answer", .ignored = {"effort", "temperature"}};
  });
  const auto ask = [&](const std::string& call, const std::string& model) {
    ModelRequest asked = request;
    asked.call = call;
    (void)run.session.ask(asked, {.model = model});
  };
  testing::internal::CaptureStderr();
  ask("propose/1", "a/one");
  ask("propose/2", "a/one");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_THAT(said, HasSubstr("a/one is asked without 'effort'"));
  EXPECT_EQ(std::count(said.begin(), said.end(), '\n'), 2) << said;

  std::vector<std::string> notes;
  std::vector<std::string> answered;
  run.session.listen({.answered = [&](const std::string& call) { answered.push_back(call); },
                      .noted = [&](const std::string& note) { notes.push_back(note); }});
  ask("propose/3", "a/one");
  ask("propose/4", "b/two");
  EXPECT_THAT(notes, ElementsAre(HasSubstr("b/two is asked without 'effort'"),
                                 HasSubstr("b/two is asked without 'temperature'")));
  EXPECT_THAT(answered, ElementsAre("propose/3", "propose/4"));
}

TEST_F(ModelSessionTest, SaysOnceHowAModelWasAskedAndWhyNoTextCame) {
  ScriptedRun run(m_directory / "noted", [](const ScriptedQuestion&) {
    return Answer{.message = "the content was empty", .notes = {"it is asked with less"}};
  });
  std::vector<std::string> notes;
  run.session.listen({.noted = [&](const std::string& note) { notes.push_back(note); }});
  for (const char* call : {"propose/1", "propose/2"}) {
    ModelRequest asked = request;
    asked.call = call;
    (void)run.session.ask(asked, {.model = "a/one", .output_setting = "max_output_tokens"});
  }
  EXPECT_THAT(notes, ElementsAre("rkb: a/one: it is asked with less",
                                 "rkb: a/one gave no answer: the content was empty"));
  EXPECT_EQ(run.model.asked.at(0).output_setting, "max_output_tokens");
}

TEST_F(ModelSessionTest, PassesOnWhyAPromptCannotBeRendered) {
  ModelRequest missing = request;
  missing.prompt = "missing";
  EXPECT_THROW(reply(missing), UserError);
  EXPECT_TRUE(m_model.asked.empty());
}

}  // namespace
}  // namespace robust_kbench
