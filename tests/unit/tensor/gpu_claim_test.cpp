#include "tensor/gpu_claim.hpp"

#include "device/cuda_driver.hpp"
#include "device/gpu_memory_budget.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

constexpr std::size_t gib = std::size_t{1} << 30;
constexpr pid_t of_nobody = 0;

// The claims are at least this large, since other processes may have claims, too.
TEST(GpuClaim, HoldsTheContextOfItsProcessToo) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  auto claim = GpuClaim::wait(gib, gib);
  EXPECT_EQ(claim->bytes(), gib);
  EXPECT_TRUE(claim->is_promise());
  EXPECT_GE(claimed_by_others(gpu_memory_budget(), of_nobody), gib + broker_context_bytes);
  claim.reset();
  EXPECT_GE(claimed_by_others(gpu_memory_budget(), of_nobody), broker_context_bytes);
}

}  // namespace
}  // namespace robust_kbench
