#include "worker/inspected_subject.hpp"

#include "device/cuda_driver.hpp"
#include "worker/separate_memory.hpp"

namespace robust_kbench {

InspectedSubject::InspectedSubject(Arena& arena)
    : KernelSubject(arena, std::make_unique<SeparateMemory>(arena)) {}

void InspectedSubject::prepare(const std::vector<robust_kbench::Call>& calls) {
  m_last = calls.size() - 1;
  KernelSubject::prepare(calls);
}

void InspectedSubject::call(std::size_t index) {
  const CudaDriver& driver = cuda_driver();
  if (index == m_last) driver.check(driver.start_profiler(), "cuProfilerStart");
  KernelSubject::call(index);
  driver.check(driver.synchronize(), "the kernel's work on the GPU");
  if (index == m_last) driver.check(driver.stop_profiler(), "cuProfilerStop");
}

// Outputs are not sampled: a sanitizer would report the sampling of unwritten bytes as a read by
// the kernel.
std::vector<std::span<const std::byte>> InspectedSubject::outputs(std::size_t /*index*/) const {
  return {};
}

std::vector<std::vector<ResultValue>> InspectedSubject::collect() {
  throw SubjectError(Failure::exception, "the outputs of an inspected call stay where they are");
}

}  // namespace robust_kbench
