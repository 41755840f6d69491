#include "device/cpu_peaks.hpp"

#include <algorithm>
#include <atomic>
#include <barrier>
#include <chrono>
#include <cstddef>
#include <cstring>
#include <functional>
#include <thread>
#include <vector>

#include "device/cpu.hpp"

namespace robust_kbench {
namespace {

constexpr int repetitions = 5;  // the fastest counts, since others were disturbed

// Seconds from a common start until all threads are done.
double seconds_of(std::size_t threads, const std::function<void(std::size_t thread)>& work) {
  using Clock = std::chrono::steady_clock;
  Clock::time_point start;
  std::barrier begin(static_cast<std::ptrdiff_t>(threads),
                     [&]() noexcept { start = Clock::now(); });
  std::vector<std::jthread> running;
  for (std::size_t i = 0; i < threads; ++i) {
    running.emplace_back([&, i] {
      begin.arrive_and_wait();
      work(i);
    });
  }
  running.clear();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

double copy_rate(std::size_t threads) {
  constexpr std::size_t bytes = std::size_t{64} << 20;
  std::vector<char> from(bytes, 1);
  std::vector<char> to(bytes, 0);
  const std::size_t share = bytes / threads;
  double best = 0;
  for (int i = 0; i < repetitions; ++i) {
    const double seconds = seconds_of(threads, [&](std::size_t thread) {
      std::memcpy(to.data() + thread * share, from.data() + thread * share, share);
    });
    best = std::max(best, 2 * static_cast<double>(share * threads) / seconds);
  }
  return best;
}

constexpr int chains = 12;  // enough to hide the latency, and few enough for registers
constexpr int steps = 1 << 19;

template <int Bytes>
struct Vector {
  using type [[gnu::vector_size(Bytes)]] = float;
};

// Chains of multiply-adds. They converge, so no number becomes denormal, which would be slow. They
// begin with different numbers, since a compiler calculates equal chains only once.
template <int Bytes>
[[gnu::always_inline]] inline float multiply_add(float first) {
  using Floats = typename Vector<Bytes>::type;
  constexpr int lanes = Bytes / sizeof(float);
  Floats sums[chains];
  for (Floats& sum : sums) sum = Floats{} + (first += 1.0F);
  const Floats factor = Floats{} + 0.5F;
  const Floats term = Floats{} + 1.0F;
  for (int step = 0; step < steps; ++step) {
#pragma GCC unroll 12
    for (Floats& sum : sums) sum = sum * factor + term;
  }
  float total = 0;
  for (const Floats& sum : sums) {
    for (int lane = 0; lane < lanes; ++lane) total += sum[lane];
  }
  return total;
}

float multiply_add_16(float first) {
  return multiply_add<16>(first);
}

#ifdef __x86_64__
[[gnu::target("avx2,fma")]] float multiply_add_32(float first) {
  return multiply_add<32>(first);
}
[[gnu::target("avx512f")]] float multiply_add_64(float first) {
  return multiply_add<64>(first);
}
#endif

double flops_rate(std::size_t threads, float (*work)(float first), int bytes) {
  const double flops = 2.0 * chains * steps * (bytes / static_cast<double>(sizeof(float)));
  std::atomic<float> kept{0};  // keeps a compiler from removing the work
  double best = 0;
  for (int i = 0; i < repetitions; ++i) {
    const double seconds =
        seconds_of(threads, [&](std::size_t thread) { kept = work(static_cast<float>(thread)); });
    best = std::max(best, flops * static_cast<double>(threads) / seconds);
  }
  return best;
}

double best_flops_rate(std::size_t threads) {
  double best = flops_rate(threads, multiply_add_16, 16);
#ifdef __x86_64__
  if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")) {
    best = std::max(best, flops_rate(threads, multiply_add_32, 32));
  }
  if (__builtin_cpu_supports("avx512f")) {
    best = std::max(best, flops_rate(threads, multiply_add_64, 64));
  }
#endif
  return best;
}

CpuPeaks measured_cpu_peaks() {
  const std::size_t threads = std::max<std::size_t>(1, usable_cpus().size());
  return {.copy_bytes_per_s = copy_rate(threads), .flops_per_s = best_flops_rate(threads)};
}

}  // namespace

const CpuPeaks& cpu_peaks() {
  static const CpuPeaks peaks = measured_cpu_peaks();
  return peaks;
}

}  // namespace robust_kbench
