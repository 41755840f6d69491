#include "bench/baseline_workers.hpp"

#include <algorithm>
#include <bit>
#include <chrono>
#include <utility>

namespace robust_kbench {
namespace {

bool fits(const WorkerOptions& kept, const WorkerOptions& wanted) {
  return kept.program == wanted.program && kept.arguments == wanted.arguments &&
         kept.cpus == wanted.cpus && kept.threads == wanted.threads &&
         kept.sandbox == wanted.sandbox && kept.readable == wanted.readable &&
         kept.arena_bytes >= wanted.arena_bytes &&
         kept.limits.call_timeout >= wanted.limits.call_timeout;
}

// Arenas are sparse, and the next entry may need a larger one.
WorkerOptions with_room(WorkerOptions options) {
  options.arena_bytes = std::bit_ceil(options.arena_bytes);
  return options;
}

}  // namespace

BaselineWorkers::BaselineWorkers() : m_keeper(std::chrono::hours(1), [] {}) {}

BaselineWorkers::Worker BaselineWorkers::kept(const WorkerOptions& options) {
  const std::scoped_lock lock(m_mutex);
  const auto found = std::find_if(m_kept.begin(), m_kept.end(),
                                  [&](const Kept& one) { return fits(one.options, options); });
  if (found == m_kept.end()) return nullptr;
  Worker worker = std::move(found->worker);
  m_kept.erase(found);
  return worker;
}

BaselineWorkers::Worker BaselineWorkers::take(const WorkerOptions& wanted) {
  const WorkerOptions options = with_room(wanted);
  if (Worker worker = kept(options)) return worker;
  Worker worker;
  m_keeper.run([&] { worker = std::make_shared<TimedWorker>(options, /*trusted=*/true); }).get();
  return worker;
}

void BaselineWorkers::keep(const WorkerOptions& options, const Worker& worker) {
  try {
    worker->forget();
  } catch (const std::exception&) {
    return;
  }
  const std::scoped_lock lock(m_mutex);
  m_kept.push_back({with_room(options), worker});
}

}  // namespace robust_kbench
