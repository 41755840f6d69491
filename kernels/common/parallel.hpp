#pragma once

#include <algorithm>
#include <cstdint>
#include <omp.h>

// How work is split over threads.
namespace kernels {

// Work is counted in floating-point operations of a register-blocked product. A core does about 60
// of them per nanosecond. An element that a kernel only streams through counts as 10 or more.
// Waking a thread costs some microseconds, so it is worth it from about 8 microseconds of work per
// thread.
constexpr double kWorkPerThread = 500e3;

inline int threads_for(double work, int64_t most = INT64_MAX) {
  const double limit = std::min(work / kWorkPerThread, static_cast<double>(most));
  return static_cast<int>(std::clamp(limit, 1.0, static_cast<double>(omp_get_max_threads())));
}

struct Range {
  int64_t begin;
  int64_t end;
};

// Part `index` of `parts` of [0, count), in multiples of `unit`.
inline Range share(int64_t count, int index, int parts, int64_t unit = 1) {
  const int64_t units = (count + unit - 1) / unit;
  return {std::min(count, units * index / parts * unit),
          std::min(count, units * (index + 1) / parts * unit)};
}

// Calls body(index, parts) on each of `threads` threads; one thread pays for no parallel region.
template <class Body>
void parallel(int threads, const Body& body) {
  if (threads <= 1) {
    body(0, 1);
    return;
  }
#pragma omp parallel num_threads(threads)
  body(omp_get_thread_num(), omp_get_num_threads());
}

}  // namespace kernels
