#include <cstddef>
#include <cstdint>

#include "recorder/capture.hpp"
#include "recorder/hooks.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"

// The kernel's own memory. In a section it comes from scratch, which a replay has at the same
// address.
namespace robust_kbench::recorder {
namespace {

constexpr int driver_out_of_memory = 2;  // CUDA_ERROR_OUT_OF_MEMORY

// Serves a request from scratch; `next` where none is recorded.
template <typename Next>
int allocate(StreamName stream, std::uint64_t* address, std::size_t bytes, const Next& next) {
  if (!log().is_on()) return next();
  const auto taken = log().take(stream, bytes);
  if (!taken) return driver_out_of_memory;
  *address = *taken;
  return 0;
}

int memory_allocate(std::uint64_t* address, std::size_t bytes) {
  static const auto next = real<decltype(&memory_allocate)>("cuMemAlloc_v2");
  return allocate({}, address, bytes, [&] { return next(address, bytes); });
}

int memory_allocate_pitch(std::uint64_t* address, std::size_t* pitch, std::size_t width,
                          std::size_t height, unsigned element_bytes) {
  static const auto next = real<decltype(&memory_allocate_pitch)>("cuMemAllocPitch_v2");
  constexpr std::size_t row_alignment = 512;
  const std::size_t row = (width + row_alignment - 1) / row_alignment * row_alignment;
  const bool is_recorded = log().is_on();
  const int result = allocate({}, address, row * height,
                              [&] { return next(address, pitch, width, height, element_bytes); });
  if (is_recorded && result == 0) *pitch = row;
  return result;
}

int memory_free(std::uint64_t address) {
  static const auto next = real<decltype(&memory_free)>("cuMemFree_v2");
  return log().give({}, address) ? 0 : next(address);
}

// Room for what kernels print changes no result. Other limits may.
int set_limit(int limit, std::size_t value) {
  constexpr int print_buffer = 1;  // CU_LIMIT_PRINTF_FIFO_SIZE
  static const auto next = real<decltype(&set_limit)>("cuCtxSetLimit");
  if (limit != print_buffer) log().refuse(ReplayObstacle::Kind::unknown_call, "cuCtxSetLimit");
  return next(limit, value);
}

template <bool per_thread>
int memory_allocate_async(std::uint64_t* address, std::size_t bytes, void* stream) {
  static const auto next = real<decltype(&memory_allocate_async<per_thread>)>(
      per_thread ? "cuMemAllocAsync_ptsz" : "cuMemAllocAsync");
  const StreamName name{stream, per_thread};
  if (is_captured(name)) return next(address, bytes, stream);
  return allocate(name, address, bytes, [&] { return next(address, bytes, stream); });
}

template <bool per_thread>
int memory_allocate_of_pool(std::uint64_t* address, std::size_t bytes, void* pool, void* stream) {
  static const auto next = real<decltype(&memory_allocate_of_pool<per_thread>)>(
      per_thread ? "cuMemAllocFromPoolAsync_ptsz" : "cuMemAllocFromPoolAsync");
  const StreamName name{stream, per_thread};
  if (is_captured(name)) return next(address, bytes, pool, stream);
  return allocate(name, address, bytes, [&] { return next(address, bytes, pool, stream); });
}

template <bool per_thread>
int memory_free_async(std::uint64_t address, void* stream) {
  static const auto next = real<decltype(&memory_free_async<per_thread>)>(
      per_thread ? "cuMemFreeAsync_ptsz" : "cuMemFreeAsync");
  return log().give({stream, per_thread}, address) ? 0 : next(address, stream);
}

}  // namespace

std::vector<Hook> memory_hooks() {
  return {hook("cuMemAlloc_v2", &memory_allocate, 3020),
          hook("cuMemAllocPitch_v2", &memory_allocate_pitch, 3020),
          hook("cuMemFree_v2", &memory_free, 3020),
          hook("cuCtxSetLimit", &set_limit),
          hook("cuMemAllocAsync", &memory_allocate_async<false>),
          hook("cuMemAllocAsync_ptsz", &memory_allocate_async<true>),
          hook("cuMemAllocFromPoolAsync", &memory_allocate_of_pool<false>),
          hook("cuMemAllocFromPoolAsync_ptsz", &memory_allocate_of_pool<true>),
          hook("cuMemFreeAsync", &memory_free_async<false>),
          hook("cuMemFreeAsync_ptsz", &memory_free_async<true>)};
}

}  // namespace robust_kbench::recorder
