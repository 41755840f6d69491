#include "llm/model_client.hpp"

#include <functional>

#include "archive/archive.hpp"
#include "archive_directory.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"
#include "llm/helper.hpp"
#include "older_archives.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* run_name = "layernorm.forward.cpu.1";
constexpr const char* old_answer =
    R"({"finish_reason":"stop","ignored":[],"message":"","outcome":"ok","text":"answer to what?"})";

// Makes the attempts and gives the answers of a function.
class ScriptedTransport : public Transport {
 public:
  using Script = std::function<Answer(const Question&, AttemptGate&)>;
  explicit ScriptedTransport(Script script) : m_script(std::move(script)) {}
  [[nodiscard]] std::string name() const override { return "scripted"; }
  [[nodiscard]] bool is_paid() const override { return true; }
  Answer ask(const Question& question, AttemptGate& gate) override {
    ++asked;
    return m_script(question, gate);
  }

  int asked = 0;

 private:
  Script m_script;
};

Answer paid_answer(const Question& question, AttemptGate& gate) {
  const Reservation reservation{
      .input_tokens = 100, .output_tokens = 50, .cost = MicroDollars{1000}};
  if (!gate.grant("stub.example", reservation)) return {.outcome = ModelOutcome::not_granted};
  gate.ended(
      {.status = "ok", .usage = TokenUsage{.input = 40, .output = 20}, .cost = MicroDollars{300}});
  return {.text = "answer to " + question.messages.back().content, .finish_reason = "stop"};
}

class ModelClientTest : public ArchiveDirectory {
 protected:
  ModelClientTest() {
    Archive archive(place(), Archive::Mode::create);
    for (int runs = 0; runs < 2; ++runs) {
      archive.begin_run({"layernorm", Direction::forward}, Device::cpu, 1,
                        nlohmann::json::object());
    }
  }

  static Question question(const std::string& call, const std::string& text = "what?") {
    return {.call = call,
            .stage = "propose",
            .model = "stub/model",
            .messages = {{"user", text}},
            .max_output_tokens = 50};
  }
  // Replays a run that has asked `propose/1` alone.
  void replay(const RecordedRun& recorded) const {
    const std::string replayed = "layernorm.forward.cpu.2";
    Archive archive(place(), Archive::Mode::read_write);
    Journal journal(archive, replayed, recorded);
    Ledger ledger(archive, {.cap = {}});
    ModelClient client(journal, ledger, nullptr);
    EXPECT_EQ(client.ask(question("propose/1")).text, "answer to what?");
    EXPECT_EQ(client.ask(question("propose/1")).text, "answer to what?");
    const std::vector<CallRow> rows = archive.calls(replayed);
    ASSERT_EQ(rows.size(), 1);
    EXPECT_EQ(rows[0].state, CallState::unpaid);
    EXPECT_EQ(rows[0].host, "replay");
    EXPECT_EQ(rows[0].charged, MicroDollars{0});
    try {
      (void)client.ask(question("propose/1", "something else?"));
      FAIL() << "a question without a recorded answer was answered";
    } catch (const UserError& error) {
      EXPECT_THAT(error.what(), HasSubstr("has no answer to the call propose/1 of stub/model"));
    }
  }
  [[nodiscard]] std::vector<std::string> states() const {
    std::vector<std::string> all;
    for (const CallRow& row : Archive(place(), Archive::Mode::read_only).calls(run_name))
      all.emplace_back(to_string(row.state));
    return all;
  }
};

TEST_F(ModelClientTest, AsksEachQuestionOnce) {
  ScriptedTransport transport(paid_answer);
  for (int process = 0; process < 2; ++process) {
    Archive archive(place(), Archive::Mode::read_write);
    Journal journal(archive, run_name);
    Ledger ledger(archive, {.cap = {.calls = 10}});
    ModelClient client(journal, ledger, &transport);
    EXPECT_EQ(client.ask(question("propose/1")).text, "answer to what?");
    EXPECT_EQ(client.ask(question("propose/1")).finish_reason, "stop");
    // A second sample of the same prompt is another question.
    (void)client.ask(question("propose/2"));
  }
  EXPECT_EQ(transport.asked, 2);
  EXPECT_THAT(states(), ElementsAre("charged", "charged"));
}

// An interrupt ends spending, even between the attempts of one question.
TEST_F(ModelClientTest, BeginsNoAttemptAfterAStop) {
  bool stops = false;
  ScriptedTransport transport([&](const Question&, AttemptGate& gate) {
    const Reservation reservation{.cost = MicroDollars{1000}};
    EXPECT_TRUE(gate.grant("stub.example", reservation));
    gate.ended({.status = "server_error", .message = "500"});
    stops = true;
    EXPECT_FALSE(gate.grant("stub.example", reservation));
    return Answer{.outcome = ModelOutcome::not_granted};
  });
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {.calls = 10}});
  ModelClient client(journal, ledger, &transport, [&] { return stops; });
  EXPECT_THROW((void)client.ask(question("propose/1")), Cancelled);
  EXPECT_THROW((void)client.ask(question("propose/2")), Cancelled);
  EXPECT_EQ(transport.asked, 1);
  EXPECT_EQ(states().size(), 1);
}

TEST_F(ModelClientTest, KeepsTheAnswerAsAnEffectAndTheRequestAsContent) {
  ScriptedTransport transport(paid_answer);
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {.calls = 10}});
  ModelClient client(journal, ledger, &transport);
  Question asked = question("propose/7", "bytes \xff");
  asked.proposal = 7;
  (void)client.ask(asked);
  const std::string key = identity_of(asked, run_name).answer_key();
  EXPECT_EQ(key, "answer/" + sha256(canonical_request(asked)));
  const std::string request = archive.content(sha256(canonical_request(asked)));
  EXPECT_EQ(request, canonical_request(asked));
  EXPECT_EQ(nlohmann::json::parse(request).at("model"), "stub/model");
  EXPECT_EQ(archive.effect(run_name, key).value_or(nullptr).at("text"), "answer to bytes \uFFFD");
}

TEST_F(ModelClientTest, AsksAgainAfterAFailureUnlessItIsKept) {
  ScriptedTransport failing([](const Question&, AttemptGate& gate) {
    (void)gate.grant("stub.example", {.cost = MicroDollars{1000}});
    gate.ended({.status = "server_error", .message = "500"});
    return Answer{.outcome = ModelOutcome::error, .message = "500"};
  });
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {.calls = 10}});
  ModelClient client(journal, ledger, &failing);
  EXPECT_EQ(client.ask(question("propose/1")).outcome, ModelOutcome::error);
  const Answer failure = client.ask(question("propose/1"));
  client.keep_failure(question("propose/1"), failure);
  EXPECT_EQ(client.ask(question("propose/1")), failure);
  EXPECT_EQ(failing.asked, 2);
  EXPECT_THAT(states(), ElementsAre("estimated", "estimated"));
}

TEST_F(ModelClientTest, TellsWhyNoQuestionWasAsked) {
  ScriptedTransport transport(paid_answer);
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {}});
  ModelClient client(journal, ledger, &transport);
  const Answer answer = client.ask(question("propose/1"));
  EXPECT_EQ(answer.outcome, ModelOutcome::not_granted);
  EXPECT_THAT(answer.message, HasSubstr("no cap is set"));
  EXPECT_THAT(states(), ElementsAre("not_granted"));
}

TEST_F(ModelClientTest, ChargesAnAttemptWhoseEndIsNotKnown) {
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {.calls = 10}});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(journal, ledger, &helper);
  Question asked = question("propose/1");
  asked.model = "stub/dies";
  EXPECT_THROW((void)client.ask(asked), HarnessError);
  const CallRow row = archive.calls(run_name).at(0);
  EXPECT_EQ(row.state, CallState::unknown);
  EXPECT_EQ(row.charged, MicroDollars{1000});
}

TEST_F(ModelClientTest, CountsAsTheEndpointDoes) {
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {.micro_usd = MicroDollars{1'000'000}, .tokens = 100'000}});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(journal, ledger, &helper);
  int number = 0;
  for (const char* model : {"fine", "retries", "no_usage", "unpriced", "overruns", "fine"}) {
    Question asked = question("propose/" + std::to_string(++number));
    asked.model = std::string("stub/") + model;
    (void)client.ask(asked);
  }
  EXPECT_THAT(states(), ElementsAre("charged", "failed", "charged", "estimated", "charged",
                                    "overrun", "not_granted"));
}

TEST_F(ModelClientTest, ChargesAnAbsurdBillToItsCallAlone) {
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {.calls = 10}, .stops_on_overrun = false});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(journal, ledger, &helper);
  for (const char* model : {"bills_absurdly", "fine"}) {
    Question asked = question(std::string("propose/") + model);
    asked.model = std::string("stub/") + model;
    EXPECT_EQ(client.ask(asked).outcome, ModelOutcome::ok);
  }
  EXPECT_THAT(states(), ElementsAre("overrun", "charged"));
}

TEST_F(ModelClientTest, KeepsThePriceThatTheHelperReservedBy) {
  Archive archive(place(), Archive::Mode::read_write);
  Journal journal(archive, run_name);
  Ledger ledger(archive, {.cap = {.calls = 10}});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(journal, ledger, &helper);
  (void)client.ask(question("propose/1"));
  const nlohmann::json entry{{"input", 1}};
  EXPECT_EQ(archive.effect(run_name, "price/stub/model/" + sha256(entry.dump())), entry);
}

TEST_F(ModelClientTest, ReplaysWithoutACall) {
  {
    ScriptedTransport transport(paid_answer);
    Archive archive(place(), Archive::Mode::read_write);
    Journal journal(archive, run_name);
    Ledger ledger(archive, {.cap = {.calls = 10}});
    (void)ModelClient(journal, ledger, &transport).ask(question("propose/1"));
  }
  const Archive recorded(place(), Archive::Mode::read_only);
  replay(RecordedRun{recorded, run_name});
}

TEST_F(ModelClientTest, ReplaysARunOfSchema2) {
  const std::filesystem::path old = m_directory / "old";
  make_version_2(old, canonical_request(question("propose/1")), old_answer);
  const Archive recorded(old, Archive::Mode::read_only);
  replay(RecordedRun{recorded, old_run});
}

TEST_F(ModelClientTest, AsksNothingAgainInARunOfSchema2) {
  const std::filesystem::path old = m_directory / "old";
  make_version_2(old, canonical_request(question("propose/1")), old_answer);
  Archive archive(old, Archive::Mode::read_write);
  Journal journal(archive, old_run);
  Ledger ledger(archive, {.cap = {.calls = 2}});
  ScriptedTransport transport(paid_answer);
  ModelClient client(journal, ledger, &transport);
  EXPECT_EQ(client.ask(question("propose/1")).text, "answer to what?");
  EXPECT_EQ(transport.asked, 0);
  (void)client.ask(question("propose/2"));
  EXPECT_EQ(transport.asked, 1);
  EXPECT_EQ(ledger.left().calls, 0);
}

}  // namespace
}  // namespace robust_kbench
