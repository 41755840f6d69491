#include "exec/message.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

json round_trip(const Call& call) {
  return json(json::parse(json(call).dump()).get<Call>());
}

TEST(Message, KeepsEveryKindOfArgument) {
  const TensorRef tensor{.offset = 64, .sizes = {2, 3}, .strides = {3, 1}, .dtype = 4};
  const Call call{{{tensor},
                   {None{}},
                   {std::int64_t{-7}},
                   {1.0},
                   {true},
                   {IntegerList{1, 2}},
                   {ArgumentTuple{{tensor}, {None{}}}}}};
  EXPECT_EQ(round_trip(call), json(call));

  const Call back = json::parse(json(call).dump()).get<Call>();
  ASSERT_EQ(back.arguments.size(), 7U);
  EXPECT_EQ(std::get<TensorRef>(back.arguments[0].value).strides, tensor.strides);
  EXPECT_TRUE(std::holds_alternative<None>(back.arguments[1].value));
  EXPECT_EQ(std::get<std::int64_t>(back.arguments[2].value), -7);
  EXPECT_EQ(std::get<double>(back.arguments[3].value), 1.0);
  EXPECT_EQ(std::get<bool>(back.arguments[4].value), true);
  EXPECT_EQ(std::get<IntegerList>(back.arguments[5].value), (IntegerList{1, 2}));
  EXPECT_EQ(std::get<ArgumentTuple>(back.arguments[6].value).size(), 2U);
}

TEST(Message, KeepsAFailure) {
  const Failed failed{Failure::out_of_memory, "no memory", 3};
  const auto back = json::parse(json(failed).dump()).get<Failed>();
  EXPECT_EQ(back.failure, Failure::out_of_memory);
  EXPECT_EQ(back.message, "no memory");
  EXPECT_EQ(back.call, 3U);
}

// Each is one edit away from a good message.
TEST(Message, RefusesMalformedResults) {
  const std::string good =
      R"({"outputs":[{"offset":0,"sizes":[1],"strides":[1],"dtype":6,"device":0}],"span_ns":1})";
  ASSERT_NO_THROW(json::parse(good).get<CallResult>());
  const std::vector<std::pair<std::string, std::string>> edits{
      {R"("span_ns":1)", R"("span_ns":-1)"},
      {R"("span_ns":1)", R"("span_ns":1.5)"},
      {R"("span_ns":1)", R"("span_ns":"1")"},
      {R"("span_ns":1)", R"("span":1)"},
      {R"("offset":0)", R"("offset":-8)"},
      {R"("sizes":[1])", R"("sizes":[1,1])"},
      {R"("sizes":[1])", R"("sizes":[1.0])"},
      {R"("sizes":[1])", R"("sizes":{"a":1})"},
      {R"("strides":[1])", R"("strides":[18446744073709551615])"},
      {R"("dtype":6)", R"("dtype":4294967302)"},
      {R"("dtype":6)", R"("dtype":null)"},
      {R"("outputs":[{)", R"("outputs":["text",{)"},
      {R"("outputs":[{)", R"("outputs":[[],{)"},
  };
  for (const auto& [from, to] : edits) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    EXPECT_THROW(json::parse(bad).get<CallResult>(), HarnessError) << bad;
  }
  EXPECT_THROW(json::parse("[]").get<CallResult>(), HarnessError);
}

TEST(Message, RefusesMoreThanAKernelCanMean) {
  json result = {{"span_ns", 1}, {"outputs", std::vector<int>(5000, 1)}};
  EXPECT_THROW(result.get<CallResult>(), HarnessError);
  const std::vector<int> dimensions(65, 1);
  result["outputs"] = json::array({{{"offset", 0},
                                    {"sizes", dimensions},
                                    {"strides", dimensions},
                                    {"dtype", 6},
                                    {"device", 0}}});
  EXPECT_THROW(result.get<CallResult>(), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
