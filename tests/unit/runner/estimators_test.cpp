#include "runner/estimators.hpp"

#include <chrono>
#include <optional>
#include <thread>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/cuda_spin.hpp"
#include "device/gpu_lock.hpp"

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

TEST(Estimate, RefusesAnUnknownEstimator) {
  EXPECT_THROW(estimate("stopwatch", {}), HarnessError);
}

class EstimateOnGpu : public testing::Test {
 protected:
  void SetUp() override {
    if (!cuda_facts().missing.empty()) GTEST_SKIP() << cuda_facts().missing;
    m_alone.emplace(GpuLock::Use::exclusive);
    m_spin.emplace();
  }

  // Times a spin on the GPU that the host launches after `pause`.
  Estimate estimate_spin(const std::string& estimator, std::uint64_t cycles,
                         std::chrono::milliseconds pause = {}) {
    const auto call = [&] {
      std::this_thread::sleep_for(pause);
      m_spin->run(cycles, m_stream);
    };
    const auto use_stream = [&](void* stream) {
      m_stream = stream;
      return true;
    };
    return estimate(estimator, {.call = call, .use_stream = use_stream});
  }

  std::optional<GpuLock> m_alone;
  std::optional<CudaSpin> m_spin;
  void* m_stream = nullptr;
};

TEST_F(EstimateOnGpu, EveryEstimatorTimesACall) {
  for (const std::string_view name : estimator_names) {
    const Estimate of_spin = estimate_spin(std::string(name), 100'000);
    EXPECT_GT(of_spin.calls, 0) << name << ": " << of_spin.note;
    EXPECT_GT(of_spin.time_us, 0) << name << ": " << of_spin.note;
  }
}

TEST_F(EstimateOnGpu, LatencyIncludesTheTimeOfTheHost) {
  EXPECT_GE(estimate_spin("latency", 1000, std::chrono::milliseconds{3}).time_us, 3000);
}

// One clock times both spins, so their ratio is the same on every machine.
TEST_F(EstimateOnGpu, HotMeasuresTheTimeOfTheGpu) {
  EXPECT_GT(estimate_spin("hot", 8'000'000).time_us, 4 * estimate_spin("hot", 1'000'000).time_us);
}

}  // namespace
}  // namespace robust_kbench
