#include "evaluate/gpu_admission.hpp"

#include <algorithm>
#include <utility>

#include "check/gpu_demand.hpp"
#include "core/cancelled.hpp"
#include "device/gpu_facts.hpp"
#include "device/gpu_memory_budget.hpp"
#include "evaluate/pool_demand.hpp"

namespace robust_kbench {
namespace {

// References kept for other kernels take at most this fraction (1 / cache_part) of the GPU's
// memory.
constexpr std::size_t cache_part = 6;

}  // namespace

GpuAdmission::GpuAdmission(int max_jobs, std::size_t tool_bytes,
                           std::function<void(std::size_t)> on_claim,
                           std::function<void()> on_release)
    : m_max_jobs(max_jobs),
      m_tool_bytes(tool_bytes),
      m_on_claim(std::move(on_claim)),
      m_on_release(std::move(on_release)) {}

GpuAdmission::Place::Place(GpuAdmission& admission, std::size_t test_bytes)
    : m_admission(&admission),
      m_tests(&admission, LeaveTests{.test_bytes = test_bytes}),
      m_is_promise(admission.m_claim->is_promise()) {}

bool GpuAdmission::fits(const GpuDemand& demand) const {
  return m_claim && demand.test_bytes <= m_claimed.test_bytes &&
         demand.time_bytes <= m_claimed.time_bytes;
}

GpuAdmission::Place GpuAdmission::enter(const GpuDemand& demand, const std::stop_token& stop,
                                        const OnWait& on_wait) {
  std::unique_lock lock(m_mutex);
  const bool outgrown = !fits(demand);
  if (outgrown) ++m_outgrown;
  const auto may_claim = [&] { return m_inside == 0 && !m_claiming; };
  const auto may_enter = [&] {
    return !m_claiming && fits(demand) && m_testing < m_max_jobs &&
           demand.test_bytes <= m_free_test_bytes && (outgrown || m_outgrown == 0);
  };
  const bool in_time =
      m_changed.wait(lock, stop, [&] { return may_enter() || (!fits(demand) && may_claim()); });
  if (outgrown) --m_outgrown;
  if (!in_time) {
    m_changed.notify_all();
    throw Cancelled();
  }
  if (!fits(demand)) claim(lock, demand, on_wait);
  ++m_inside;
  ++m_testing;
  m_free_test_bytes -= demand.test_bytes;
  m_changed.notify_all();
  return Place(*this, demand.test_bytes);
}

void GpuAdmission::claim(std::unique_lock<std::mutex>& lock, const GpuDemand& demand,
                         const OnWait& on_wait) {
  m_claiming = true;
  const GpuDemand wanted{.test_bytes = std::max(demand.test_bytes, m_claimed.test_bytes),
                         .time_bytes = std::max(demand.time_bytes, m_claimed.time_bytes)};
  const std::size_t max_cache = m_max_jobs > 1 ? gpu_facts().memory_bytes / cache_part : 0;
  const PoolDemand all(wanted.time_bytes, std::max<std::size_t>(1, wanted.test_bytes), max_cache);
  // Less where the GPU is too small for both. Sanitizers then say that they could not look.
  const std::size_t budget = gpu_memory_budget().bytes;
  const std::size_t sanitizer_bytes = std::min(
      sanitizers_gpu_bytes(), budget - std::min(budget, all.least() + broker_context_bytes));
  lock.unlock();
  std::unique_ptr<GpuClaim> claimed;
  try {
    if (m_claim) m_on_release();
    m_claim.reset();
    std::size_t most = all.most(m_max_jobs);
    if (m_max_jobs > 1) {
      most = std::min(most, budget - std::min(budget, m_tool_bytes + sanitizer_bytes));
    }
    claimed = GpuClaim::wait(all.least() + sanitizer_bytes,
                             std::max(all.least(), most) + sanitizer_bytes, on_wait);
  } catch (...) {
    lock.lock();
    m_claiming = false;
    m_changed.notify_all();
    throw;
  }
  const PoolDemand::Shares shares = all.split(claimed->bytes() - sanitizer_bytes, m_max_jobs);
  m_sanitizer_memory.set_bytes(sanitizer_bytes);
  m_on_claim(shares.cache_bytes);
  lock.lock();
  m_claiming = false;
  m_claim = std::move(claimed);
  m_claimed = wanted;
  m_free_test_bytes = shares.test_bytes;
}

void GpuAdmission::leave() {
  {
    const std::scoped_lock lock(m_mutex);
    --m_inside;
  }
  m_changed.notify_all();
}

void GpuAdmission::leave_tests(std::size_t test_bytes) {
  {
    const std::scoped_lock lock(m_mutex);
    --m_testing;
    m_free_test_bytes += test_bytes;
  }
  m_changed.notify_all();
}

void GpuAdmission::rest() {
  const std::scoped_lock lock(m_mutex);
  if (m_inside == 0 && !m_claiming) m_claim.reset();
}

}  // namespace robust_kbench
