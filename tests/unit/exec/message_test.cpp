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

}  // namespace
}  // namespace robust_kbench
