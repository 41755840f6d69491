#include "device/cuda_stopwatch.hpp"

#include <optional>

#include "device/cuda_driver.hpp"
#include "device/cuda_spin.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

// Tests compare times of spins by their ratio, which is the same on every machine.
constexpr std::uint64_t long_cycles = 4'000'000;  // some 2 ms

class CudaStopwatchTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
    const CudaDriver& driver = cuda_driver();
    m_spin.emplace();
    driver.check(driver.create_stream(&m_own_stream, CudaDriver::non_blocking_stream, 0),
                 "cuStreamCreateWithPriority");
    spin(long_cycles, nullptr);
    spin(long_cycles, m_own_stream);
    driver.check(driver.synchronize(), "cuCtxSynchronize");
  }

  void spin(std::uint64_t cycles, void* stream) const { m_spin->run(cycles, stream); }

  // Times a spin on `stream` that is started while the default stream is busy.
  std::uint64_t time_of_spin(void* stream) const {
    const CudaStopwatch stopwatch;
    spin(long_cycles, nullptr);
    stopwatch.start();
    spin(long_cycles, stream);
    return stopwatch.stop();
  }

  std::optional<CudaSpin> m_spin;
  void* m_own_stream = nullptr;
};

// Though `then`'s own stream had nothing to do, its copy sees what another stream wrote after a
// spin.
TEST_F(CudaStopwatchTest, WorkAfterTheEndIsNotTimedAndWaitsForAllStreams) {
  const CudaDriver& driver = cuda_driver();
  CudaDriver::Address written = 0;
  CudaDriver::Address seen = 0;
  driver.check(driver.allocate(&written, 1), "cuMemAlloc");
  driver.check(driver.allocate(&seen, 1), "cuMemAlloc");
  driver.check(driver.set_bytes_async(written, 0, 1, nullptr), "cuMemsetD8Async");
  const CudaStopwatch stopwatch;
  stopwatch.start();
  const std::uint64_t of_nothing = stopwatch.stop([&](void* stream) { spin(long_cycles, stream); });
  stopwatch.start();
  spin(long_cycles, m_own_stream);
  driver.check(driver.set_bytes_async(written, 1, 1, m_own_stream), "cuMemsetD8Async");
  const std::uint64_t of_spin = stopwatch.stop([&](void* stream) {
    driver.check(driver.copy_async(seen, written, 1, stream), "cuMemcpyAsync");
  });
  std::uint8_t byte = 0;
  driver.check(driver.copy(CudaDriver::address_of(&byte), seen, 1), "cuMemcpy");
  EXPECT_LT(4 * of_nothing, of_spin);
  EXPECT_EQ(byte, 1);
  driver.check(driver.free(written), "cuMemFree");
  driver.check(driver.free(seen), "cuMemFree");
}

TEST_F(CudaStopwatchTest, LeavesOutEarlierWorkOfTheDefaultStream) {
  const CudaStopwatch stopwatch;
  spin(long_cycles, nullptr);
  stopwatch.start();
  const std::uint64_t of_nothing = stopwatch.stop();
  EXPECT_LT(4 * of_nothing, time_of_spin(nullptr));
}

TEST_F(CudaStopwatchTest, CountsANonBlockingStream) {
  const std::uint64_t on_own = time_of_spin(m_own_stream);
  const std::uint64_t on_default = time_of_spin(nullptr);
  EXPECT_GT(2 * on_own, on_default);
}

}  // namespace
}  // namespace robust_kbench
