#include "evaluate/pool_demand.hpp"

#include <algorithm>

namespace robust_kbench {

PoolDemand::Shares PoolDemand::split(std::size_t claimed, int max_jobs) const {
  const std::size_t of_all_jobs = without_cache(max_jobs);
  const std::size_t left = claimed > of_all_jobs ? claimed - of_all_jobs : 0;
  const std::size_t cache =
      std::min(m_max_cache_bytes, std::max(left, (claimed - without_cache(1)) / 2));
  return {.test_bytes = claimed - m_timing_bytes - cache, .cache_bytes = cache};
}

}  // namespace robust_kbench
