#include "ipc/call.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

TensorRef tensor_at(std::uint64_t offset) {
  return {.offset = offset, .sizes = {2, 3}, .strides = {3, 1}, .dtype = 4};
}

Call every_kind_of_argument(std::uint64_t offset) {
  return {{{tensor_at(offset)},
           {None{}},
           {std::int64_t{-7}},
           {1.0},
           {true},
           {IntegerList{1, 2}},
           {ArgumentTuple{{tensor_at(offset + 64)}, {None{}}}},
           {OutputTensor{.sizes = {4, 2}, .dtype = 5}}}};
}

TEST(Calls, KeepEveryKindOfArgument) {
  const json body = encode_calls({every_kind_of_argument(64), every_kind_of_argument(512)});
  const std::vector<Call> calls = decode_calls(json::parse(body.dump()));
  EXPECT_EQ(encode_calls(calls), body);

  ASSERT_EQ(calls.size(), 2U);
  const std::vector<ArgumentValue>& arguments = calls[1].arguments;
  ASSERT_EQ(arguments.size(), 8U);
  EXPECT_EQ(std::get<TensorRef>(arguments[0].value).offset, 512U);
  EXPECT_EQ(std::get<TensorRef>(arguments[0].value).strides, tensor_at(0).strides);
  EXPECT_TRUE(std::holds_alternative<None>(arguments[1].value));
  EXPECT_EQ(std::get<std::int64_t>(arguments[2].value), -7);
  EXPECT_EQ(std::get<double>(arguments[3].value), 1.0);
  EXPECT_EQ(std::get<bool>(arguments[4].value), true);
  EXPECT_EQ(std::get<IntegerList>(arguments[5].value), (IntegerList{1, 2}));
  const auto& tuple = std::get<ArgumentTuple>(arguments[6].value);
  ASSERT_EQ(tuple.size(), 2U);
  EXPECT_EQ(std::get<TensorRef>(tuple[0].value).offset, 576U);
  EXPECT_EQ(std::get<OutputTensor>(arguments[7].value).sizes, (std::vector<std::int64_t>{4, 2}));
  EXPECT_EQ(std::get<OutputTensor>(arguments[7].value).dtype, 5);
}

TEST(Calls, MayHaveNoArguments) {
  EXPECT_TRUE(decode_calls(encode_calls({})).empty());
  EXPECT_EQ(decode_calls(encode_calls(std::vector<Call>(3))).size(), 3U);
}

TEST(Calls, MustHaveEquallyManyTensors) {
  EXPECT_THROW((void)encode_calls({Call{{{tensor_at(0)}}}, Call{{{None{}}}}}), HarnessError);
}

TEST(Results, RoundTripThroughTheirMessage) {
  const std::vector<CallResult> results{{{tensor_at(0), None{}}, 5},
                                        {{tensor_at(64), None{}}, 6},
                                        {{std::int64_t{3}, 2.5, false}, 7},
                                        {{}, 8}};
  const json body = encode_results(results);
  EXPECT_EQ(body["layouts"].size(), 3U);  // the first two calls differ only in their offset
  const std::vector<CallResult> back = decode_results(json::parse(body.dump()));
  ASSERT_EQ(back.size(), 4U);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_EQ(back[i].span_ns, 5 + i);
  EXPECT_EQ(std::get<TensorRef>(back[0].outputs.at(0)).offset, 0U);
  EXPECT_EQ(std::get<TensorRef>(back[1].outputs.at(0)).offset, 64U);
  EXPECT_EQ(std::get<TensorRef>(back[1].outputs.at(0)).sizes, tensor_at(0).sizes);
  EXPECT_TRUE(std::holds_alternative<None>(back[1].outputs.at(1)));
  EXPECT_EQ(std::get<std::int64_t>(back[2].outputs.at(0)), 3);
  EXPECT_EQ(std::get<double>(back[2].outputs.at(1)), 2.5);
  EXPECT_EQ(std::get<bool>(back[2].outputs.at(2)), false);
  EXPECT_TRUE(back[3].outputs.empty());
}

// Each message is one edit away from a good one.
TEST(Results, RefuseMalformedMessages) {
  const std::string good =
      R"({"layouts":[[{"sizes":[1],"strides":[1],"dtype":6,"device":0}]],"calls":[[1,0,64]]})";
  ASSERT_NO_THROW(decode_results(json::parse(good)));
  const std::vector<std::pair<std::string, std::string>> edits{
      {R"([1,0,64])", R"([-1,0,64])"},
      {R"([1,0,64])", R"([1.5,0,64])"},
      {R"([1,0,64])", R"(["1",0,64])"},
      {R"([1,0,64])", R"([1,1,64])"},
      {R"([1,0,64])", R"([1,-1,64])"},
      {R"([1,0,64])", R"([1,0,-8])"},
      {R"([1,0,64])", R"([1,0,64.0])"},
      {R"([1,0,64])", R"([1,0])"},
      {R"([1,0,64])", R"([1])"},
      {R"([1,0,64])", R"([1,0,64,64])"},
      {R"([1,0,64])", R"(7)"},
      {R"("calls")", R"("call")"},
      {R"("sizes":[1])", R"("sizes":[1,1])"},
      {R"("sizes":[1])", R"("sizes":[1.0])"},
      {R"("sizes":[1])", R"("sizes":{"a":1})"},
      {R"("strides":[1])", R"("strides":[18446744073709551615])"},
      {R"("dtype":6)", R"("dtype":4294967302)"},
      {R"("dtype":6)", R"("dtype":null)"},
      {R"([[{)", R"([["text",{)"},
      {R"([[{)", R"([[[],{)"},
      {R"([[{)", R"([7,[{)"},
  };
  for (const auto& [from, to] : edits) {
    std::string bad = good;
    bad.replace(bad.find(from), from.size(), to);
    EXPECT_THROW(decode_results(json::parse(bad)), HarnessError) << bad;
  }
  EXPECT_THROW(decode_results(json::parse("[]")), HarnessError);
}

TEST(Results, RefuseMoreThanAnyKernelNeeds) {
  json body = {{"calls", json::array()}, {"layouts", {std::vector<int>(5000, 1)}}};
  EXPECT_THROW(decode_results(body), HarnessError);
  const std::vector<int> dimensions(65, 1);
  const json tensor = {{"sizes", dimensions}, {"strides", dimensions}, {"dtype", 6}, {"device", 0}};
  body["layouts"] = json::array({json::array({tensor})});
  EXPECT_THROW(decode_results(body), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
