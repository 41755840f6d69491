#include <string>

#include "trial/trial.hpp"
#include "trial/trials_main.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using testing::HasSubstr;

KernelRecord tried(const std::string& kernel, Direction direction = Direction::forward) {
  return try_kernel({.name = "over_torch/" + kernel, .direction = direction});
}

void expect_caught_out_of_bounds(const KernelRecord& record) {
  EXPECT_EQ(record.build.headers, KernelHeaders::torch);
  EXPECT_EQ(to_string(record.judgement.verdict), "cheat") << record.judgement.reason;
  EXPECT_EQ(to_string(record.judgement.cheat_class), "out_of_bounds_write");
  EXPECT_THAT(record.judgement.reason, HasSubstr("past the end"));
}

void expect_pass(const KernelRecord& record) {
  EXPECT_EQ(record.build.headers, KernelHeaders::torch);
  EXPECT_EQ(to_string(record.judgement.verdict), "pass") << record.judgement.reason;
}

TEST(OverTorch, WhatSlimHeadersLackPasses) {
  expect_pass(tried("linear"));
}

TEST(OverTorch, MemoryOfAnOperatorIsGuarded) {
  expect_caught_out_of_bounds(tried("linear", Direction::backward));
}

TEST(OverTorch, UnwrittenMemoryIsPoison) {
  const KernelRecord record = tried("asks_for_torch");
  EXPECT_EQ(record.build.headers, KernelHeaders::torch);
  EXPECT_EQ(to_string(record.judgement.verdict), "wrong_result") << record.judgement.reason;
  EXPECT_THAT(record.judgement.reason, HasSubstr("nan"));
}

TEST(OverTorch, AWorkspaceOutlivesTheCalls) {
  expect_pass(tried("asks_for_torch", Direction::backward));
}

// The error of shim headers in full, then only what it does not say already.
TEST(OverTorch, WhatCompilesOverNeitherSaysSoOnce) {
  const KernelRecord record = tried("compiles_over_neither");
  EXPECT_EQ(to_string(record.judgement.verdict), "compile_error");
  EXPECT_EQ(record.build.headers, KernelHeaders::shim);
  EXPECT_THAT(record.judgement.reason, HasSubstr("torch::nn"));
  const std::string error = "was not declared in this scope";
  const std::size_t message = record.judgement.reason.find(error);
  ASSERT_NE(message, std::string::npos) << record.judgement.reason;
  EXPECT_EQ(record.judgement.reason.find(error, message + 1), std::string::npos)
      << record.judgement.reason;
  EXPECT_THAT(record.judgement.reason, HasSubstr("over torch's own headers"));
}

TEST(OverTorch, ACudaKernelCompilesWithoutAGpu) {
  const KernelRecord record = tried("cuda/linear");
  if (record.build.judgement.verdict == Verdict::skipped)
    GTEST_SKIP() << record.build.judgement.reason;
  EXPECT_EQ(to_string(record.build.judgement.verdict), "pass") << record.build.judgement.reason;
  EXPECT_EQ(record.build.headers, KernelHeaders::torch);
}

TEST(OverTorch, ACudaKernelPasses) {
  const KernelRecord record = tried("cuda/linear");
  if (record.judgement.verdict == Verdict::skipped) GTEST_SKIP() << record.judgement.reason;
  expect_pass(record);
}

TEST(OverTorch, MemoryOfAnOperatorOnTheGpuIsGuarded) {
  const KernelRecord record = tried("cuda/linear", Direction::backward);
  if (record.judgement.verdict == Verdict::skipped) GTEST_SKIP() << record.judgement.reason;
  expect_caught_out_of_bounds(record);
}

void register_nothing_more() {}

}  // namespace
}  // namespace robust_kbench

int main(int argc, char** argv) {
  return robust_kbench::trials_main(argc, argv, robust_kbench::register_nothing_more);
}
