#include "tensor/torch_cuda.hpp"

#include "device/cuda_driver.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Fails with `message` until the third try; returns how many it took.
int tries_until_success(const char* message) {
  int tries = 0;
  return with_gpu_memory([&] {
    TORCH_CHECK(++tries == 3, message);
    return tries;
  });
}

TEST(GpuMemory, IsWaitedForWhereTorchLacksIt) {
  if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
  EXPECT_EQ(tries_until_success("CUDA out of memory. Tried to allocate 2 GiB"), 3);
  EXPECT_EQ(tries_until_success("CUBLAS_STATUS_ALLOC_FAILED when calling cublasCreate"), 3);
  EXPECT_EQ(tries_until_success("CUDA error: unknown error\nSearch for `cudaErrorUnknown'"), 3);
}

TEST(GpuMemory, IsNotWaitedForAfterOtherErrors) {
  int tries = 0;
  const auto work = [&]() -> int {
    ++tries;
    TORCH_CHECK(false, "a size that does not fit");
  };
  EXPECT_THROW((void)with_gpu_memory(work), c10::Error);
  EXPECT_EQ(tries, 1);
}

}  // namespace
}  // namespace robust_kbench
