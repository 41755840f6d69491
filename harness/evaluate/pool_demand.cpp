#include "evaluate/pool_demand.hpp"

#include <algorithm>

namespace robust_kbench {

PoolDemand::Shares PoolDemand::split(std::size_t claimed, int max_jobs) const {
  const std::size_t fitting = (claimed - m_timing_bytes) / m_job_bytes;
  const auto jobs = static_cast<int>(std::min(fitting, static_cast<std::size_t>(max_jobs)));
  return {.jobs = jobs, .cache_bytes = std::min(m_max_cache_bytes, claimed - without_cache(jobs))};
}

}  // namespace robust_kbench
