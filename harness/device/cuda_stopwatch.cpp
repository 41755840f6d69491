#include "device/cuda_stopwatch.hpp"

#include <algorithm>
#include <chrono>
#include <limits>

#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

constexpr int idle_waits = 20;
// Beyond the time of an idle wait: what the host's clock cannot tell from noise.
constexpr std::uint64_t host_noise_ns = 1000;

std::uint64_t wait_for_gpu(const CudaDriver& driver) {
  const auto start = std::chrono::steady_clock::now();
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  return static_cast<std::uint64_t>(
      std::chrono::nanoseconds(std::chrono::steady_clock::now() - start).count());
}

}  // namespace

CudaStopwatch::CudaStopwatch() {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.create_event(&m_start, 0), "cuEventCreate");
  driver.check(driver.create_event(&m_end, 0), "cuEventCreate");
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  m_idle_ns = std::numeric_limits<std::uint64_t>::max();
  for (int i = 0; i < idle_waits; ++i) m_idle_ns = std::min(m_idle_ns, wait_for_gpu(driver));
}

void CudaStopwatch::start() const {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.record_event(m_start, nullptr), "cuEventRecord");
}

std::uint64_t CudaStopwatch::stop() const {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.record_event(m_end, nullptr), "cuEventRecord");
  driver.check(driver.synchronize_event(m_end), "cuEventSynchronize");
  const std::uint64_t late_ns = wait_for_gpu(driver);
  float milliseconds = 0;
  driver.check(driver.elapsed_time(&milliseconds, m_start, m_end), "cuEventElapsedTime");
  const auto span_ns = static_cast<std::uint64_t>(1e6 * static_cast<double>(milliseconds));
  return late_ns > m_idle_ns + host_noise_ns ? span_ns + late_ns - m_idle_ns : span_ns;
}

}  // namespace robust_kbench
