#pragma once

#include <cstdint>
#include <exception>

#if defined(_OPENMP)
#include <omp.h>
#endif

// at::parallel_for over the kernel's own OpenMP runtime. Without -fopenmp, the calling thread runs
// everything.
namespace rkb {

inline std::int64_t divup(std::int64_t x, std::int64_t y) {
  return (x + y - 1) / y;
}

#if defined(_OPENMP)
inline int get_num_threads() {
  return omp_get_max_threads();
}
inline int get_thread_num() {
  return omp_get_thread_num();
}
inline bool in_parallel_region() {
  return omp_in_parallel() != 0;
}
#else
inline int get_num_threads() {
  return 1;
}
inline int get_thread_num() {
  return 0;
}
inline bool in_parallel_region() {
  return false;
}
#endif

// Calls f(from, to) for consecutive chunks of [begin, end). Only the last chunk may be shorter than
// `grain_size`. The first exception of any chunk is rethrown here.
template <typename F>
void parallel_for(std::int64_t begin, std::int64_t end, std::int64_t grain_size, const F& f) {
  if (begin >= end) return;
#if defined(_OPENMP)
  const std::int64_t size = end - begin;
  std::int64_t workers = get_num_threads();
  if (grain_size > 0 && divup(size, grain_size) < workers) workers = divup(size, grain_size);
  if (workers > 1 && !in_parallel_region()) {
    std::exception_ptr first;
#pragma omp parallel num_threads(static_cast <int>(workers))
    {
      const std::int64_t chunk = divup(size, omp_get_num_threads());
      const std::int64_t from = begin + omp_get_thread_num() * chunk;
      const std::int64_t to = from + chunk < end ? from + chunk : end;
      if (from < to) {
        try {
          f(from, to);
        } catch (...) {
#pragma omp critical(rkb_parallel_for)
          if (!first) first = std::current_exception();
        }
      }
    }
    if (first) std::rethrow_exception(first);
    return;
  }
#else
  (void)grain_size;
#endif
  f(begin, end);
}

}  // namespace rkb
