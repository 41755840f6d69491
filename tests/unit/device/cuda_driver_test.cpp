#include "device/cuda_driver.hpp"

#include "device/gpu_memory_wait.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

CudaDriver driver_that_says(int (*get_error_string)(int, const char**)) {
  CudaDriver driver{};
  driver.get_error_string = get_error_string;
  return driver;
}

std::string message_of(const CudaDriver& driver, int error) {
  try {
    driver.check(error, "cuMemCreate");
  } catch (const HarnessError& failure) {
    return failure.what();
  }
  return "nothing was thrown";
}

TEST(CudaDriver, ThrowsOutOfGpuMemoryForALackOfMemory) {
  const CudaDriver driver = driver_that_says([](int, const char** text) {
    *text = "some words";
    return 0;
  });
  EXPECT_NO_THROW(driver.check(0, "cuMemCreate"));
  EXPECT_THROW(driver.check(2, "cuMemCreate"), OutOfGpuMemory);
  EXPECT_EQ(message_of(driver, 2), "cuMemCreate: CUDA error 2: some words");
  EXPECT_EQ(message_of(driver, 700), "cuMemCreate: CUDA error 700: some words");
  const auto another = [&] {
    try {
      driver.check(700, "cuMemCreate");
    } catch (const OutOfGpuMemory&) {
    }
  };
  EXPECT_THROW(another(), HarnessError);
}

TEST(CudaDriver, SaysThatAnErrorIsUnknown) {
  const CudaDriver driver = driver_that_says([](int, const char**) { return 1; });
  EXPECT_EQ(driver.describe(12345), "CUDA error 12345: unknown");
}

}  // namespace
}  // namespace robust_kbench
