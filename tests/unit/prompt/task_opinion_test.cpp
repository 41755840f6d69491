#include "prompt/task_opinion.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;
using testing::ElementsAre;
using testing::HasSubstr;

const std::string mark_of_prompt = "0123456789abcdef01234567";

json opinion() {
  return {{"mark", mark_of_prompt},
          {"redundant", true},
          {"inefficient", false},
          {"reasons", {"A clamp {never} binds."}}};
}

TEST(TaskOpinion, IsTheObjectAtTheEndOfTheAnswer) {
  const ParsedOpinion parsed =
      parse_opinion_answer("It clamps.\n```json\n" + opinion().dump() + "\n```\n", mark_of_prompt);
  ASSERT_TRUE(parsed.opinion) << parsed.reason;
  EXPECT_TRUE(parsed.opinion->redundant);
  EXPECT_FALSE(parsed.opinion->inefficient);
  EXPECT_THAT(parsed.opinion->reasons, ElementsAre("A clamp {never} binds."));
}

TEST(TaskOpinion, NeedsTheMarkAndEachMember) {
  for (const char* member : {"mark", "redundant", "inefficient", "reasons"}) {
    json less = opinion();
    less.erase(member);
    const ParsedOpinion parsed = parse_opinion_answer(less.dump(), mark_of_prompt);
    EXPECT_FALSE(parsed.opinion) << member;
    EXPECT_THAT(parsed.reason, HasSubstr("no judgement with the mark"));
  }
  EXPECT_FALSE(parse_opinion_answer(opinion().dump(), "another").opinion);
}

TEST(TaskOpinion, IsNotWhatTheAnswerQuotesOfItsPrompt) {
  const std::string fenced = "[" + mark_of_prompt + " begin: python source]\n" + opinion().dump() +
                             "\n[" + mark_of_prompt + " end: python source]";
  EXPECT_FALSE(parse_opinion_answer(fenced, mark_of_prompt).opinion);
}

}  // namespace
}  // namespace robust_kbench
