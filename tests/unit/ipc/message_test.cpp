#include "ipc/message.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace robust_kbench {
namespace {

using nlohmann::json;

TEST(Message, KeepsAFailure) {
  const Failed failed{Failure::out_of_memory, "no memory", 3};
  const auto back = json::parse(json(failed).dump()).get<Failed>();
  EXPECT_EQ(back.failure, Failure::out_of_memory);
  EXPECT_EQ(back.message, "no memory");
  EXPECT_EQ(back.call, 3U);
}

TEST(Message, KeepsALoadedSignature) {
  const Loaded loaded{.parameters = {{.name = "x", .kind = 1, .optional = true}},
                      .overloads = {{}, {{.name = "y", .kind = 2}}},
                      .headers = KernelHeaders::torch};
  const auto back = json::parse(json(loaded).dump()).get<Loaded>();
  ASSERT_EQ(back.parameters.size(), 1U);
  EXPECT_EQ(back.parameters[0].name, "x");
  EXPECT_EQ(back.parameters[0].kind, 1);
  EXPECT_TRUE(back.parameters[0].optional);
  EXPECT_FALSE(back.parameters[0].has_default);
  ASSERT_EQ(back.overloads.size(), 2U);
  EXPECT_TRUE(back.overloads[0].empty());
  EXPECT_EQ(back.overloads[1].at(0).name, "y");
  EXPECT_EQ(back.headers, KernelHeaders::torch);
}

TEST(Message, RefusesUnknownHeaders) {
  for (const json& bad : {json("auto"), json("slim"), json(""), json(1), json()}) {
    const json message{{"parameters", json::array()}, {"headers", bad}};
    EXPECT_THROW((void)message.get<Loaded>(), HarnessError) << bad;
  }
}

TEST(Message, KeepsAnOutputSample) {
  const OutputSample output_sample{.key = ~std::uint64_t{0},
                                   .seen = {std::byte{0}, std::byte{255}}};
  const auto back = json::parse(json(output_sample).dump()).get<OutputSample>();
  EXPECT_EQ(back.key, output_sample.key);
  EXPECT_EQ(back.seen, output_sample.seen);
}

TEST(Message, RefusesAnOutputSampleOfAnythingButBytes) {
  for (const char* bad : {R"({"key": 1})", R"({"seen": []})", R"({"key": -1, "seen": []})",
                          R"({"key": 1, "seen": [256]})", R"({"key": 1, "seen": [-1]})",
                          R"({"key": 1, "seen": ["x"]})", R"({"key": 1, "seen": 7})", "null"}) {
    EXPECT_THROW((void)json::parse(bad).get<OutputSample>(), HarnessError) << bad;
  }
  const json many{{"key", 1}, {"seen", std::vector<int>(100'000)}};
  EXPECT_THROW((void)many.get<OutputSample>(), HarnessError);
}

TEST(Message, KeepsATrace) {
  const Trace trace{.missing = "it is",
                    .activities = {{.kind = CudaActivity::Kind::copy,
                                    .name = "host to device",
                                    .start_ns = 1'700'000'000'000'000'001,
                                    .end_ns = 1'700'000'000'000'000'002,
                                    .bytes = ~std::uint64_t{0}}}};
  const auto back = json::parse(json(trace).dump()).get<Trace>();
  EXPECT_EQ(back.missing, trace.missing);
  EXPECT_EQ(back.activities, trace.activities);
}

TEST(Message, RefusesATraceOfAnythingButActivities) {
  for (const char* bad :
       {"[]", "7", R"("x")", "null", "[0]", R"([0, "k", 1, 2])", R"([0, "k", 1, 2, 3, 4])",
        R"([3, "k", 1, 2, 0])", R"([-1, "k", 1, 2, 0])", R"([0, 7, 1, 2, 0])",
        R"([0, "k", 2, 1, 0])", R"([0, "k", 1.5, 2, 0])", R"([0, "k", 1, 2, -1])"}) {
    const json message{{"missing", ""}, {"activities", {json::parse(bad)}}};
    EXPECT_THROW((void)message.get<Trace>(), HarnessError) << bad;
  }
  const json nothing{{"missing", ""}};
  EXPECT_THROW((void)nothing.get<Trace>(), HarnessError);
  const std::vector<json> many(max_traced_activities + 1, {0, "k", 1, 2, 0});
  EXPECT_THROW((void)json({{"missing", ""}, {"activities", many}}).get<Trace>(), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
