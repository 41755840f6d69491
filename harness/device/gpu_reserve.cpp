#include "device/gpu_reserve.hpp"

#include <algorithm>
#include <mutex>

#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

// Enough for the code of a library's kernels, and for comparing the outputs of a call. Still little
// compared with what a kernel under test may want.
constexpr std::size_t max_reserve = std::size_t{256} << 20;
constexpr std::size_t min_part = 64;  // a small GPU's share of all memory
// With less free memory than this many reserves, other processes need it more.
constexpr std::size_t plenty = 4;

std::mutex mutex;
CudaDriver::Address held = 0;

std::size_t reserve_bytes() {
  return std::min(max_reserve, gpu_facts().memory_bytes / min_part);
}

}  // namespace

void hold_gpu_reserve() {
  const std::scoped_lock lock(mutex);
  if (held != 0 || free_gpu_memory() < plenty * reserve_bytes()) return;
  // The allocation fails if another process has taken the memory meanwhile.
  if (cuda_driver().allocate(&held, reserve_bytes()) != 0) held = 0;
}

void open_gpu_reserve() {
  const std::scoped_lock lock(mutex);
  if (held == 0 || free_gpu_memory() >= reserve_bytes()) return;
  cuda_driver().check(cuda_driver().free(held), "cuMemFree");
  held = 0;
}

}  // namespace robust_kbench
