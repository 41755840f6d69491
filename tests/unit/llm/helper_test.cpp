#include "llm/helper.hpp"

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/error.hpp"
#include "core/text_file.hpp"
#include "process/processes.hpp"
#include "process/temporary_directory.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

// Grants the given number of attempts, and records its calls.
class NotingGate : public AttemptGate {
 public:
  explicit NotingGate(int granted = 10) : m_left(granted) {}
  bool grant(const std::string& host, const Reservation& reservation) override {
    hosts.push_back(host);
    reservations.push_back(reservation);
    return m_left-- > 0;
  }
  void ended(const AttemptEnd& end) override { ends.push_back(end); }

  std::vector<std::string> hosts;
  std::vector<Reservation> reservations;
  std::vector<AttemptEnd> ends;

 private:
  int m_left;
};

HelperStart scripted() {
  return {.arguments = {PYTHON, SCRIPTED_HELPER},
          .environment = {"LANG=C.UTF-8"},
          .keys = {{"STUB_API_KEY", "planted-key"}},
          .providers = {{"stub", "1.0"}}};
}

Question question(const std::string& model, const std::string& text = "a question") {
  return {.call = "propose/1",
          .stage = "propose",
          .model = "stub/" + model,
          .messages = {{"user", text}},
          .max_output_tokens = 50};
}

std::string failure_of(Helper& helper, const std::string& model) {
  NotingGate gate;
  try {
    (void)helper.ask(question(model), gate);
  } catch (const HarnessError& error) {
    return error.what();
  }
  return "no HarnessError";
}

TEST(Helper, AnswersAndTellsOfEachAttempt) {
  Helper helper(scripted());
  NotingGate gate;
  const Answer answer = helper.ask(question("retries", "what?"), gate);
  EXPECT_EQ(answer, (Answer{.outcome = ModelOutcome::ok,
                            .text = "answer to what?",
                            .finish_reason = "stop",
                            .ignored = {"effort"}}));
  EXPECT_THAT(gate.hosts, ElementsAre("stub.example", "stub.example"));
  EXPECT_EQ(gate.reservations[0].tokens(), 150);
  EXPECT_EQ(gate.reservations[0].cost, MicroDollars{1000});
  EXPECT_EQ(gate.reservations[0].price, json({{"input", 1}}));
  ASSERT_EQ(gate.ends.size(), 2);
  EXPECT_EQ(gate.ends[0].status, "rate_limited");
  EXPECT_EQ(gate.ends[0].usage, std::nullopt);
  EXPECT_EQ(gate.ends[0].cost, std::nullopt);
  EXPECT_EQ(gate.ends[1].status, "ok");
  EXPECT_EQ(gate.ends[1].usage,
            (TokenUsage{.input = 40, .cached_input = 8, .output = 20, .reasoning = 5}));
  EXPECT_EQ(gate.ends[1].cost, MicroDollars{300});
}

TEST(Helper, SendsNothingUnlessGranted) {
  Helper helper(scripted());
  NotingGate gate(0);
  EXPECT_EQ(helper.ask(question("fine"), gate).outcome, ModelOutcome::not_granted);
  EXPECT_TRUE(gate.ends.empty());
}

TEST(Helper, ChargesTheHigherOfTwoBills) {
  Helper helper(scripted());
  NotingGate gate;
  (void)helper.ask(question("reports_a_cost"), gate);
  EXPECT_EQ(gate.ends.at(0).cost, MicroDollars{900});
}

TEST(Helper, SurvivesABillThatExceedsEveryCap) {
  Helper helper(scripted());
  NotingGate gate;
  EXPECT_EQ(helper.ask(question("bills_absurdly"), gate).outcome, ModelOutcome::ok);
  EXPECT_GT(gate.ends.at(0).usage.value_or(TokenUsage{}).input, most_micro_dollars.count);
  EXPECT_GT(gate.ends.at(0).cost.value_or(MicroDollars{}), most_micro_dollars);
  EXPECT_EQ(helper.ask(question("fine"), gate).outcome, ModelOutcome::ok);
}

TEST(Helper, TellsTheHighestPossibleCostOfAnAttempt) {
  Helper helper(scripted());
  NotingGate gate;
  Question asked = question("fails_early");
  asked.output_setting = "max_output_tokens";
  EXPECT_THAT(helper.ask(asked, gate).notes, ElementsAre("max_output_tokens"));
  const Reservation at_most = gate.ends.at(0).at_most.value_or(Reservation{});
  EXPECT_EQ(at_most.tokens(), 100);
  EXPECT_EQ(at_most.cost, MicroDollars{200});
}

TEST(Helper, KnowsOfAModelWithoutAPrice) {
  Helper helper(scripted());
  NotingGate gate;
  (void)helper.ask(question("unpriced"), gate);
  EXPECT_EQ(gate.reservations.at(0).cost, std::nullopt);
}

TEST(Helper, AnswersSeveralQuestionsAtATime) {
  Helper helper(scripted());
  std::string first;
  NotingGate gates[2];
  {
    const std::jthread other([&] { first = helper.ask(question("pair", "first"), gates[0]).text; });
    EXPECT_EQ(helper.ask(question("pair", "second"), gates[1]).text, "answer to second");
  }
  EXPECT_EQ(first, "answer to first");
}

TEST(Helper, RendersEstimatesAndLists) {
  Helper helper(scripted());
  const Rendered rendered = helper.render("propose", {{"code", "int \xff"}}, "00", "propose/1");
  EXPECT_THAT(rendered.messages, ElementsAre(Message{"user", "{\"code\": \"int \\ufffd\"}"}));
  EXPECT_EQ(rendered.mark, "propose/1");
  EXPECT_EQ(helper.estimate("stub/fine", 100, 50).cost, MicroDollars{1000});
  EXPECT_EQ(helper.usual_cost("stub/fine", 100, 50), MicroDollars{400});
  EXPECT_THAT(helper.models("stub"), ElementsAre("a", "b"));
  EXPECT_EQ(helper.versions(), json({{"python", "3.11"}, {"packages", {{"stub", "1.0"}}}}));
  EXPECT_THROW((void)helper.render("missing", json::object(), "00", "a"), UserError);
}

TEST(Helper, GetsKeysThroughThePipeAlone) {
  setenv("OPENAI_API_KEY", "another-planted-key", 1);
  Helper helper(scripted());
  unsetenv("OPENAI_API_KEY");
  const auto rendered = [&](const char* prompt) {
    return helper.render(prompt, json::object(), "00", "a").messages.at(0).content;
  };
  EXPECT_EQ(json::parse(rendered("keys")), json({{"STUB_API_KEY", "planted-key"}}));
  EXPECT_THAT(rendered("environment"), HasSubstr("C.UTF-8"));
  EXPECT_THAT(rendered("environment"), Not(HasSubstr("planted")));
}

TEST(Helper, ThrowsWhereItHasDied) {
  Helper helper(scripted());
  const auto why = HasSubstr("helper for language models has failed: it ended with exit status 3");
  EXPECT_THAT(failure_of(helper, "dies"), why);
  EXPECT_THAT(failure_of(helper, "fine"), why);
}

TEST(Helper, EndsAllQuestionsWhenItDies) {
  Helper helper(scripted());
  std::string first;
  {
    const std::jthread other([&] { first = failure_of(helper, "is_silent"); });
    EXPECT_THAT(failure_of(helper, "dies"), HasSubstr("exit status 3"));
  }
  EXPECT_THAT(first, HasSubstr("exit status 3"));
}

TEST(Helper, ThrowsWhereItHangs) {
  HelperStart start = scripted();
  start.limits.grace = std::chrono::milliseconds(250);
  Helper helper(start);
  Question asked = question("is_silent");
  asked.timeout_s = 0.25;
  NotingGate gate;
  EXPECT_THROW((void)helper.ask(asked, gate), HarnessError);
  EXPECT_THAT(failure_of(helper, "fine"), HasSubstr("it has said nothing for 0.5 s"));
}

TEST(Helper, ThrowsWhereItsOutputIsInvalid) {
  const auto failure = [](const std::string& model) {
    Helper helper(scripted());
    return failure_of(helper, model);
  };
  EXPECT_THAT(failure("writes_nonsense"), HasSubstr("has written no JSON object: \"Traceback:\""));
  EXPECT_THAT(failure("writes_no_end"), HasSubstr("a line of more than 16777216 bytes"));
  EXPECT_THAT(failure("counts_below_zero"),
              HasSubstr("'attempt_ended' breaks the contract: 'input_tokens' is -1"));
  EXPECT_THAT(failure("answers_twice"), HasSubstr("\"answer\" is none that may come now"));
}

// A helper that never reads its stdin does not notice its end, and still must not outlive its
// parent.
TEST(Helper, IsKilledWithItsParent) {
  const TemporaryDirectory directory("helper");
  const std::string file = directory.path() / "pid";
  const pid_t parent = fork();
  if (parent == 0) {
    HelperStart start = scripted();
    start.arguments = {"/bin/sh", "-c",
                       "echo $$ > \"$0.new\"; mv \"$0.new\" \"$0\"; exec sleep 1000", file};
    const Helper helper(start);
    _exit(1);
  }
  while (!std::filesystem::exists(file)) std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const pid_t helper = std::stoi(read_text(file).value_or("0"));
  EXPECT_TRUE(find_process(helper));
  kill(parent, SIGKILL);
  waitpid(parent, nullptr, 0);
  const auto is_alive = [&] {
    const auto found = find_process(helper);
    return found && found->alive;
  };
  while (is_alive()) std::this_thread::sleep_for(std::chrono::milliseconds(5));
}

TEST(Helper, ThrowsWhereItCannotStart) {
  const auto failure = [](const std::vector<std::string>& arguments) {
    HelperStart start = scripted();
    start.arguments = arguments;
    try {
      const Helper helper(start);
    } catch (const HarnessError& error) {
      return std::string(error.what());
    }
    return std::string("no HarnessError");
  };
  EXPECT_THAT(failure({"/does/not/exist"}), HasSubstr("cannot start /does/not/exist"));
  EXPECT_THAT(failure({"/bin/sh", "-c", "exit 2"}), HasSubstr("it ended with exit status 2"));
}

}  // namespace
}  // namespace robust_kbench
