#pragma once

#include <cstddef>

namespace robust_kbench {

// GPU memory for kernels that are tested at the same time, and timed one after another.
class PoolDemand {
 public:
  // `timing_bytes` is for all that is timed, `job_bytes` for the test that takes most.
  // `max_cache_bytes` is for references that are kept for the next kernel.
  PoolDemand(std::size_t timing_bytes, std::size_t job_bytes, std::size_t max_cache_bytes)
      : m_timing_bytes(timing_bytes), m_job_bytes(job_bytes), m_max_cache_bytes(max_cache_bytes) {}

  // Bytes for one job without a cache, and for `jobs` jobs with the whole cache.
  [[nodiscard]] std::size_t least() const { return without_cache(1); }
  [[nodiscard]] std::size_t most(int jobs) const { return without_cache(jobs) + m_max_cache_bytes; }

  struct Shares {
    std::size_t test_bytes = 0;
    std::size_t cache_bytes = 0;
  };
  // Splits `claimed` bytes, which must be least() or more. One job comes first. The cache gets half
  // of the rest, and all bytes that `max_jobs` jobs do not take. Without cached references each
  // test would make them again.
  [[nodiscard]] Shares split(std::size_t claimed, int max_jobs) const;

 private:
  [[nodiscard]] std::size_t without_cache(int jobs) const {
    return m_timing_bytes + static_cast<std::size_t>(jobs) * m_job_bytes;
  }

  std::size_t m_timing_bytes;
  std::size_t m_job_bytes;
  std::size_t m_max_cache_bytes;
};

}  // namespace robust_kbench
