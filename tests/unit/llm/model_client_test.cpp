#include "llm/model_client.hpp"

#include <functional>

#include "archive/archive.hpp"
#include "archive_directory.hpp"
#include "core/cancelled.hpp"
#include "core/error.hpp"
#include "core/sha256.hpp"
#include "llm/helper.hpp"
#include "llm/replay_transport.hpp"

#include <gmock/gmock.h>

namespace robust_kbench {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

constexpr const char* run_name = "layernorm.forward.cpu.1";

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
  ModelClientTest() { Archive(place(), Archive::Mode::create); }

  static Question question(const std::string& call, const std::string& text = "what?") {
    return {.call = call,
            .stage = "propose",
            .model = "stub/model",
            .messages = {{"user", text}},
            .max_output_tokens = 50};
  }
  [[nodiscard]] CallStore opened() const { return {place(), Database::Mode::read_write}; }
  [[nodiscard]] std::vector<std::string> states() const {
    std::vector<std::string> all;
    for (const CallRow& row : opened().calls(run_name)) all.emplace_back(to_string(row.state));
    return all;
  }
};

TEST_F(ModelClientTest, AsksEachQuestionOnce) {
  ScriptedTransport transport(paid_answer);
  for (int process = 0; process < 2; ++process) {
    CallStore store(place(), Database::Mode::read_write);
    Ledger ledger(store, {.cap = {.calls = 10}});
    ModelClient client(store, ledger, transport, run_name);
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
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {.calls = 10}});
  ModelClient client(store, ledger, transport, run_name, [&] { return stops; });
  EXPECT_THROW((void)client.ask(question("propose/1")), Cancelled);
  EXPECT_THROW((void)client.ask(question("propose/2")), Cancelled);
  EXPECT_EQ(transport.asked, 1);
  EXPECT_EQ(states().size(), 1);
}

TEST_F(ModelClientTest, KeepsRequestAndAnswerAsContent) {
  ScriptedTransport transport(paid_answer);
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {.calls = 10}});
  ModelClient client(store, ledger, transport, run_name);
  Question asked = question("propose/7", "bytes \xff");
  asked.proposal = 7;
  (void)client.ask(asked);
  const auto exchanges = store.exchanges(run_name, 7);
  ASSERT_EQ(exchanges.size(), 1);
  EXPECT_EQ(exchanges[0].request, canonical_request(asked));
  EXPECT_EQ(nlohmann::json::parse(exchanges[0].request).at("model"), "stub/model");
  EXPECT_THAT(exchanges[0].answer, HasSubstr("answer to bytes"));
}

TEST_F(ModelClientTest, AsksAgainAfterAFailureUnlessItIsKept) {
  ScriptedTransport failing([](const Question&, AttemptGate& gate) {
    (void)gate.grant("stub.example", {.cost = MicroDollars{1000}});
    gate.ended({.status = "server_error", .message = "500"});
    return Answer{.outcome = ModelOutcome::error, .message = "500"};
  });
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {.calls = 10}});
  ModelClient client(store, ledger, failing, run_name);
  EXPECT_EQ(client.ask(question("propose/1")).outcome, ModelOutcome::error);
  const Answer failure = client.ask(question("propose/1"));
  client.keep_failure(question("propose/1"), failure);
  EXPECT_EQ(client.ask(question("propose/1")), failure);
  EXPECT_EQ(failing.asked, 2);
  EXPECT_THAT(states(), ElementsAre("estimated", "estimated"));
}

TEST_F(ModelClientTest, TellsWhyNoQuestionWasAsked) {
  ScriptedTransport transport(paid_answer);
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {}});
  ModelClient client(store, ledger, transport, run_name);
  const Answer answer = client.ask(question("propose/1"));
  EXPECT_EQ(answer.outcome, ModelOutcome::not_granted);
  EXPECT_THAT(answer.message, HasSubstr("no cap is set"));
  EXPECT_THAT(states(), ElementsAre("not_granted"));
}

TEST_F(ModelClientTest, ChargesAnAttemptWhoseEndIsNotKnown) {
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {.calls = 10}});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(store, ledger, helper, run_name);
  Question asked = question("propose/1");
  asked.model = "stub/dies";
  EXPECT_THROW((void)client.ask(asked), HarnessError);
  const CallRow row = store.calls(run_name).at(0);
  EXPECT_EQ(row.state, CallState::unknown);
  EXPECT_EQ(row.charged, MicroDollars{1000});
}

TEST_F(ModelClientTest, CountsAsTheEndpointDoes) {
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {.micro_usd = MicroDollars{1'000'000}, .tokens = 100'000}});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(store, ledger, helper, run_name);
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
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {.calls = 10}, .stops_on_overrun = false});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(store, ledger, helper, run_name);
  for (const char* model : {"bills_absurdly", "fine"}) {
    Question asked = question(std::string("propose/") + model);
    asked.model = std::string("stub/") + model;
    EXPECT_EQ(client.ask(asked).outcome, ModelOutcome::ok);
  }
  EXPECT_THAT(states(), ElementsAre("overrun", "charged"));
}

TEST_F(ModelClientTest, KeepsThePriceThatTheHelperReservedBy) {
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {.calls = 10}});
  Helper helper(
      {.arguments = {PYTHON, SCRIPTED_HELPER}, .environment = std::vector<std::string>{}});
  ModelClient client(store, ledger, helper, run_name);
  (void)client.ask(question("propose/1"));
  const nlohmann::json entry{{"input", 1}};
  EXPECT_EQ(Archive(place(), Archive::Mode::read_only)
                .effect(run_name, "price/stub/model/" + sha256(entry.dump())),
            entry);
}

TEST_F(ModelClientTest, ReplaysWithoutACall) {
  const std::string replayed = "layernorm.forward.cpu.2";
  {
    ScriptedTransport transport(paid_answer);
    CallStore store(place(), Database::Mode::read_write);
    Ledger ledger(store, {.cap = {.calls = 10}});
    (void)ModelClient(store, ledger, transport, run_name).ask(question("propose/1"));
  }
  const CallStore recorded(place(), Database::Mode::read_only);
  CallStore store(place(), Database::Mode::read_write);
  Ledger ledger(store, {.cap = {}});
  ReplayTransport transport(recorded, run_name);
  ModelClient client(store, ledger, transport, replayed);
  EXPECT_EQ(client.ask(question("propose/1")).text, "answer to what?");
  const CallRow row = store.calls(replayed).at(0);
  EXPECT_EQ(row.state, CallState::unpaid);
  EXPECT_EQ(row.host, "replay");
  EXPECT_EQ(row.charged, MicroDollars{0});
  EXPECT_THROW((void)client.ask(question("propose/1", "something else?")), UserError);
}

}  // namespace
}  // namespace robust_kbench
