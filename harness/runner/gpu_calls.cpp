#include "runner/gpu_calls.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <utility>

#include "core/error.hpp"
#include "device/cuda_pool.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

// About 0.2 ms, five times as long as the L2 sweep of an H100.
constexpr std::uint64_t cycles_before_first = 400'000;

template <typename Step>
auto without_gpu_error(const Step& step) {
  try {
    return step();
  } catch (const HarnessError& error) {
    std::fprintf(stderr, "the GPU's context is broken: %s\n", error.what());
    std::abort();
  }
}

}  // namespace

GpuCalls::GpuCalls() {
  constexpr std::size_t kept_part = 64;  // share of all memory, small enough for a dozen workers
  keep_freed_memory(gpu_facts().memory_bytes / kept_part);
}

void GpuCalls::prepare(const Arena& arena) {
  m_arena = &arena;
  m_sampler.forget();
  m_is_first = true;
  without_gpu_error([&] {
    m_unwritten.fill_local(next_unwritten_key());
    begin();
    return m_stopwatch.stop();
  });
}

void GpuCalls::begin() {
  const ArenaHeader& header = m_arena->header();
  const std::size_t kernel_begin = std::min<std::size_t>(header.kernel_begin, m_arena->size());
  const std::size_t end =
      std::clamp<std::size_t>(header.poisoned_until, kernel_begin, m_arena->size());
  m_sweep.run();
  m_sweep.touch(m_arena->data(), kernel_begin);
  m_sweep.touch(m_arena->kernel_data() + kernel_begin, end - kernel_begin);
  // Filled last, since the kernels before use the same registers, and a part of the memory as
  // cache.
  m_unwritten.fill_multiprocessors(next_unwritten_key());
  m_stopwatch.start();
}

std::uint32_t GpuCalls::next_unwritten_key() {
  return static_cast<std::uint32_t>(m_unwritten_keys());
}

std::uint64_t GpuCalls::time(const std::function<void()>& call,
                             const std::function<void(void* stream)>& then) {
  without_gpu_error([&] {
    if (std::exchange(m_is_first, false)) m_spin.run(cycles_before_first);
    begin();
  });
  std::exception_ptr failure;
  try {
    call();
  } catch (...) {
    failure = std::current_exception();  // work that it has launched may still break the GPU
  }
  const std::uint64_t span_ns = without_gpu_error(
      [&] { return m_stopwatch.stop(failure ? std::function<void(void*)>() : then); });
  if (failure) std::rethrow_exception(failure);
  return span_ns;
}

void GpuCalls::sample(const std::vector<std::span<const std::byte>>& outputs, std::uint64_t key,
                      void* stream) {
  m_key = key;
  for (const std::span<const std::byte> output : outputs) {
    if (output.empty()) continue;
    const SamplePlaces places = SamplePlaces::of(output.size(), key++);
    m_sampler.at(output.data() + places.first, places.stride, places.count,
                 output.data() + places.last, stream);
  }
}

}  // namespace robust_kbench
