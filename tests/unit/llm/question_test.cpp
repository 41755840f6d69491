#include "llm/question.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using nlohmann::json;

const Question asked{.call = "propose/1",
                     .stage = "propose",
                     .proposal = 1,
                     .model = "stub/model",
                     .messages = {{"user", "what?"}},
                     .max_output_tokens = 50,
                     .temperature = 0.5};

TEST(CanonicalRequest, IsJsonWithSortedKeys) {
  EXPECT_EQ(canonical_request(asked),
            R"({"call":"propose/1","effort":"","max_output_tokens":50,)"
            R"("messages":[{"content":"what?","role":"user"}],"model":"stub/model",)"
            R"("schema":null,"temperature":0.5})");
}

TEST(CanonicalRequest, DiffersWhereTheAnswerMayDiffer) {
  const std::string hash = identity_of(asked, "run").request_hash;
  const auto changed = [&](const auto& change) {
    Question other = asked;
    change(other);
    return identity_of(other, "run").request_hash != hash;
  };
  EXPECT_TRUE(changed([](Question& other) { other.call = "propose/2"; }));
  EXPECT_TRUE(changed([](Question& other) { other.temperature = std::nullopt; }));
  EXPECT_TRUE(changed([](Question& other) { other.effort = "low"; }));
  EXPECT_TRUE(changed([](Question& other) { other.schema = json::object(); }));
  EXPECT_TRUE(changed([](Question& other) { other.messages[0].content = "why?"; }));
  EXPECT_FALSE(changed([](Question& other) { other.timeout_s = 1; }));
}

TEST(Answer, IsTheSameAfterJson) {
  const Answer answer{.outcome = ModelOutcome::length,
                      .text = "half",
                      .finish_reason = "length",
                      .ignored = {"effort"},
                      .message = "cut off"};
  EXPECT_EQ(answer_of(to_json(answer), "a test"), answer);
  EXPECT_THROW((void)answer_of(json::object(), "a test"), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
