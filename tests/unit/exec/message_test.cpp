#include "exec/message.hpp"

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

TEST(Message, KeepsAWitness) {
  const Witness witness{.key = ~std::uint64_t{0}, .seen = {std::byte{0}, std::byte{255}}};
  const auto back = json::parse(json(witness).dump()).get<Witness>();
  EXPECT_EQ(back.key, witness.key);
  EXPECT_EQ(back.seen, witness.seen);
}

TEST(Message, RefusesAWitnessOfAnythingButBytes) {
  for (const char* bad : {R"({"key": 1})", R"({"seen": []})", R"({"key": -1, "seen": []})",
                          R"({"key": 1, "seen": [256]})", R"({"key": 1, "seen": [-1]})",
                          R"({"key": 1, "seen": ["x"]})", R"({"key": 1, "seen": 7})", "null"}) {
    EXPECT_THROW((void)json::parse(bad).get<Witness>(), HarnessError) << bad;
  }
  const json many{{"key", 1}, {"seen", std::vector<int>(100'000)}};
  EXPECT_THROW((void)many.get<Witness>(), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
