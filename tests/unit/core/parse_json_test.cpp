#include "core/parse_json.hpp"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

std::string arrays(std::size_t levels) {
  return std::string(levels, '[') + std::string(levels, ']');
}

std::string json_error_of(const std::string& text) {
  try {
    (void)parse_json(text);
  } catch (const json::parse_error& error) {
    return error.what();
  }
  return {};
}

TEST(ParseJson, ParsesValidText) {
  EXPECT_EQ(parse_json(R"({"a": [1, 2.5, null, "b"]})"), json({{"a", {1, 2.5, nullptr, "b"}}}));
  EXPECT_EQ(parse_json_if_any("[3]"), json({3}));
}

TEST(ParseJson, AcceptsLevelsUpToTheLimit) {
  EXPECT_EQ(parse_json(arrays(deepest_json)).dump(), arrays(deepest_json));
  EXPECT_THAT(json_error_of(arrays(deepest_json + 1)), testing::HasSubstr("more than 64 levels"));
  EXPECT_THROW((void)parse_json("[[1]]", 1), json::parse_error);
  EXPECT_NO_THROW((void)parse_json("[1]", 1));
}

// Printing a value recurses once for each level.
TEST(ParseJson, RefusesWhatWouldOverflowTheStack) {
  for (const std::string& hostile : {arrays(200'000), std::string(200'000, '['),
                                     std::string(200'000, '{'), R"({"a": )" + arrays(200'000)}) {
    EXPECT_NE(json_error_of(hostile), "");
    EXPECT_TRUE(parse_json_if_any(hostile).is_discarded());
  }
}

TEST(ParseJson, RefusesNumbersBeyondFloat64) {
  EXPECT_THAT(json_error_of("[1e999]"), testing::HasSubstr("1e999"));
  EXPECT_TRUE(parse_json_if_any("-1e999").is_discarded());
}

TEST(ParseJson, SaysWhereATextIsNoJson) {
  EXPECT_THAT(json_error_of("[1, x]"), testing::HasSubstr("column 5"));
  EXPECT_NE(json_error_of(""), "");
  EXPECT_TRUE(parse_json_if_any("no JSON").is_discarded());
}

}  // namespace
}  // namespace robust_kbench
