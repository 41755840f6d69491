#include "evaluate/timing_slot.hpp"

#include <algorithm>
#include <utility>

#include "bench/worker_budget.hpp"
#include "check/batch.hpp"
#include "core/cancelled.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {

TimingSlot::TimingSlot(const Manifest& manifest, const Task& task, Entry entry, Device device,
                       const BenchOptions& options, LimitsCache& limits, Keeper& keeper)
    : m_manifest(manifest),
      m_task(task),
      m_entry(std::move(entry)),
      m_device(device),
      m_options(options),
      m_limits(limits),
      m_keeper(keeper) {}

void TimingSlot::start(const std::vector<Config>& configs, std::size_t kernels) {
  m_keeper.run([=, this] {
    // A failure here recurs in the next turn, which reports it.
    if (!m_timer) require_room(configs, kernels);
  });
}

std::size_t TimingSlot::max_entrants(const std::vector<Config>& configs, const BuiltKernel& kernel,
                                     const std::vector<BuiltKernel>& rivals) const {
  const bool gpu = m_device == Device::cuda;
  const std::size_t planned = std::max(m_max_kernels.load(), 1 + rivals.size());
  const WorkerBudget budget =
      worker_budget(m_options, planned, largest_arena(m_task, m_entry.direction, configs, 1, gpu),
                    gpu ? std::optional(gpu_facts().memory_bytes) : std::nullopt);
  const auto workers = [&](const BuiltKernel& each) {
    return static_cast<std::size_t>(workers_within(budget, each.max_workers));
  };
  std::size_t of_rivals = 0;
  for (const BuiltKernel& rival : rivals) of_rivals += workers(rival);
  return std::max<std::size_t>(1, (worker_slots(budget, planned) - of_rivals) / workers(kernel));
}

void TimingSlot::require_room(const std::vector<Config>& configs, std::size_t kernels) {
  const auto bytes = [&](const Config& config) {
    return arena_bytes({m_task, m_entry.direction, config.params}, 1, m_device == Device::cuda);
  };
  const auto less = [&](const Config& a, const Config& b) { return bytes(a) < bytes(b); };
  const Config& largest = *std::max_element(configs.begin(), configs.end(), less);
  const bool has_room = m_largest && bytes(*m_largest) >= bytes(largest);
  if (m_timer && has_room && m_max_kernels >= kernels) return;
  m_timer.reset();
  if (!has_room) m_largest = largest;
  m_max_kernels = std::max(m_max_kernels.load(), kernels);
  m_timer = std::make_unique<KernelTimer>(m_manifest, m_task, m_entry, m_device,
                                          std::vector{*m_largest}, std::vector<BuiltKernel>{},
                                          m_options, m_max_kernels, &m_limits);
}

void TimingSlot::rest() {
  try {
    if (m_timer) m_timer->rest();
  } catch (const std::exception&) {
    m_timer.reset();
  }
}

void TimingSlot::discard_baselines() {
  const std::scoped_lock lock(m_mutex);
  if (!m_taken) m_timer.reset();
}

void TimingSlot::set_taken(bool taken) {
  const std::scoped_lock lock(m_mutex);
  m_taken = taken;
}

TimingSlot::Turn::Turn(TimingSlot& slot, const std::vector<Config>& configs,
                       const std::vector<BuiltKernel>& kernels, std::size_t planned,
                       const std::stop_token& stop)
    : m_slot(slot) {
  slot.set_taken(true);
  try {
    slot.m_keeper.run([&] { slot.require_room(configs, planned); }).get();
    m_timer = slot.m_timer.get();
    m_turn.emplace(*m_timer, kernels, stop);
  } catch (const Cancelled&) {
    slot.set_taken(false);
    throw;
  } catch (...) {
    slot.m_keeper.run([&] { slot.m_timer.reset(); }).wait();
    slot.set_taken(false);
    throw;
  }
}

TimingSlot::Turn::~Turn() {
  m_turn.reset();
  if (m_failed || !m_timer->baselines_live())
    m_slot.m_keeper.run([this] { m_slot.m_timer.reset(); }).wait();
  m_slot.set_taken(false);
}

}  // namespace robust_kbench
