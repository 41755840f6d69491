#include "ipc/baseline_load.hpp"

#include "core/error.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(BaselineLoad, RoundTripsThroughItsMessage) {
  const BaselineLoad sent{.kind = BaselineLoad::Kind::eager,
                          .tf32 = true,
                          .captured = true,
                          .task = "softmax",
                          .direction = Direction::backward,
                          .params = {{"rows", std::int64_t{3}},
                                     {"eps", 1e-5},
                                     {"causal", false},
                                     {"init_method", std::string("xavier")}},
                          .package = {}};
  const BaselineLoad received = decode_baseline_load(encode(sent));
  EXPECT_EQ(received.kind, sent.kind);
  EXPECT_EQ(received.tf32, sent.tf32);
  EXPECT_EQ(received.captured, sent.captured);
  EXPECT_EQ(received.task, sent.task);
  EXPECT_EQ(received.direction, sent.direction);
  EXPECT_EQ(received.params, sent.params);
}

TEST(BaselineLoad, NamesItsPackage) {
  const BaselineLoad sent{.kind = BaselineLoad::Kind::package, .package = "/packages/single.pt2"};
  EXPECT_EQ(decode_baseline_load(encode(sent)).package, sent.package);
}

TEST(BaselineLoad, RefusesOtherMessages) {
  EXPECT_THROW(decode_baseline_load({.library = "/tmp/kernel.so", .entry = "forward"}),
               HarnessError);
  EXPECT_THROW(decode_baseline_load({.library = "eager", .entry = "forward"}), HarnessError);
}

}  // namespace
}  // namespace robust_kbench
