#include "device/cuda_stopwatch.hpp"

#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

constexpr unsigned without_time = 2;  // CU_EVENT_DISABLE_TIMING
constexpr int first = -100;           // the driver replaces it by its highest priority

}  // namespace

CudaStopwatch::CudaStopwatch() {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.get_current_context(&m_context), "cuCtxGetCurrent");
  driver.check(driver.create_event(&m_start, 0), "cuEventCreate");
  driver.check(driver.create_event(&m_all_done, without_time), "cuEventCreate");
  driver.check(driver.create_event(&m_end, 0), "cuEventCreate");
  driver.check(driver.create_stream(&m_then, CudaDriver::non_blocking_stream, first),
               "cuStreamCreateWithPriority");
}

void CudaStopwatch::start() const {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.record_event(m_start, nullptr), "cuEventRecord");
  driver.check(driver.wait_in_context(m_context, m_start), "cuCtxWaitEvent");
}

// The end is an event on the default stream, since an event of the context comes 0.3 to 3 us late
// on an H100.
std::uint64_t CudaStopwatch::stop(const std::function<void(void* stream)>& then) const {
  const CudaDriver& driver = cuda_driver();
  driver.check(driver.record_context(m_context, m_all_done), "cuCtxRecordEvent");
  driver.check(driver.wait_in_stream(nullptr, m_all_done, 0), "cuStreamWaitEvent");
  driver.check(driver.record_event(m_end, nullptr), "cuEventRecord");
  if (then) {
    driver.check(driver.wait_in_stream(m_then, m_all_done, 0), "cuStreamWaitEvent");
    then(m_then);
  }
  driver.check(driver.synchronize_event(m_end), "cuEventSynchronize");
  driver.check(driver.synchronize(), "cuCtxSynchronize");
  float milliseconds = 0;
  driver.check(driver.elapsed_time(&milliseconds, m_start, m_end), "cuEventElapsedTime");
  return static_cast<std::uint64_t>(1e6 * static_cast<double>(milliseconds));
}

}  // namespace robust_kbench
