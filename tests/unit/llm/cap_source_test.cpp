#include "llm/cap_source.hpp"

#include "core/error.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::AllOf;
using testing::HasSubstr;

constexpr SpendingCap five_dollars{.micro_usd = MicroDollars{5'000'000}};
constexpr SpendingCap two_dollars{.micro_usd = MicroDollars{2'000'000}};

// The surroundings of a command that a person typed into a shell.
Surroundings shell(std::map<std::string, std::string> variables = {}) {
  return {.variables = std::move(variables), .configuration = "/home/me/config.json"};
}
Surroundings below_cmake(std::map<std::string, std::string> variables = {}) {
  return {.variables = std::move(variables),
          .build_tool = "cmake",
          .configuration = "/home/me/config.json"};
}

TEST(CapSource, IsEmptyUnlessThePersonSetsOne) {
  // A key alone allows no spending.
  const CapSource source = cap_source({}, shell({{"OPENAI_API_KEY", "planted"}}), {});
  EXPECT_FALSE(source.cap.is_set());
  EXPECT_THAT(source.note, AllOf(HasSubstr("no language model is asked"), HasSubstr("--max-usd"),
                                 HasSubstr("RKB_MAX_USD"), HasSubstr("/home/me/config.json")));
}

TEST(CapSource, ComesFromAnOption) {
  const CapSource source = cap_source({.max_usd = "2"}, shell({{"RKB_MAX_USD", "5"}}), {});
  EXPECT_EQ(source.cap, two_dollars);
  EXPECT_EQ(source.note, "");
}

TEST(CapSource, ElseComesFromAVariable) {
  const Surroundings surroundings = shell({{"RKB_MAX_USD", "5"}, {"RKB_MAX_CALLS", "7"}});
  const CapSource source = cap_source({.max_tokens = "100"}, surroundings, {two_dollars});
  const SpendingCap expected{.micro_usd = MicroDollars{5'000'000}, .tokens = 100, .calls = 7};
  EXPECT_EQ(source.cap, expected);
}

TEST(CapSource, NamesThePlaceOfEachLimit) {
  const Surroundings surroundings = shell({{"RKB_MAX_USD", "5"}});
  const CapTexts places =
      cap_source({.max_tokens = "100"}, surroundings, {.cap = {.calls = 7}}).places;
  EXPECT_EQ(places.max_usd, "RKB_MAX_USD");
  EXPECT_EQ(places.max_tokens, "--max-tokens");
  EXPECT_EQ(places.max_calls, "max_calls of /home/me/config.json");
  EXPECT_EQ(cap_source({.max_usd = "2"}, below_cmake(), {five_dollars}).places.max_usd,
            "max_usd of /home/me/config.json");
}

TEST(CapSource, ElseComesFromTheConfiguration) {
  EXPECT_EQ(cap_source({}, shell(), {five_dollars}).cap, five_dollars);
  EXPECT_EQ(cap_source({}, below_cmake(), {five_dollars}).cap, five_dollars);
}

TEST(SpendingCap, IsOnlyLoweredByARepository) {
  const SpendingCap committed{.micro_usd = MicroDollars{2'000'000}, .calls = 3};
  EXPECT_EQ(lowered(five_dollars, committed), committed);
  EXPECT_EQ(lowered(two_dollars, five_dollars), two_dollars);
  EXPECT_FALSE(lowered({}, five_dollars).is_set());
}

TEST(CapSource, TakesNoOptionOrVariableBelowABuildTool) {
  // A preset may set the variable, and a build file may write the option.
  for (const CapSource& source : {cap_source({}, below_cmake({{"RKB_MAX_USD", "100"}}), {}),
                                  cap_source({.max_calls = "100"}, below_cmake(), {})}) {
    EXPECT_FALSE(source.cap.is_set());
    EXPECT_THAT(source.note,
                AllOf(HasSubstr("does not count below cmake"), HasSubstr("/home/me/config.json")));
  }
  const CapSource lowered = cap_source({.max_usd = "100"}, below_cmake(), {two_dollars});
  EXPECT_EQ(lowered.cap, two_dollars);
  EXPECT_THAT(lowered.note, HasSubstr("does not count below cmake"));
}

TEST(CapSource, RefusesTextThatIsNoAmount) {
  const auto refusal = [](const CapTexts& options, const Surroundings& surroundings) {
    try {
      (void)cap_source(options, surroundings, {});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no UserError");
  };
  EXPECT_EQ(refusal({.max_usd = "much"}, shell()),
            "--max-usd is 'much'; give dollars from 0 to 1000000 with up to six decimals, as 2.50");
  EXPECT_THAT(refusal({}, shell({{"RKB_MAX_TOKENS", "-1"}})),
              HasSubstr("RKB_MAX_TOKENS is '-1'; give an integer from 0 to "));
  EXPECT_THAT(refusal({.max_calls = "1.5"}, shell()), HasSubstr("--max-calls is '1.5'"));
}

}  // namespace
}  // namespace robust_kbench
