#include "evaluate/race_queue.hpp"

#include <algorithm>

#include "core/cancelled.hpp"

namespace robust_kbench {
namespace {

// Those of a race that is not shared. Memory is planned for so many.
std::size_t kernels_of(const Race& race) {
  return 1 + race.rivals.size();
}

bool same_names(const std::vector<Config>& some, const std::vector<Config>& others) {
  return std::ranges::equal(some, others, {}, &Config::name, &Config::name);
}

bool same_libraries(const std::vector<BuiltKernel>& some, const std::vector<BuiltKernel>& others) {
  return std::ranges::equal(some, others, [](const BuiltKernel& one, const BuiltKernel& other) {
    return one.name == other.name && one.library == other.library;
  });
}

// Who cancels one cancels all.
bool may_race_together(const Race& one, const Race& other) {
  return one.together && other.together && one.stop == other.stop &&
         one.run.baselines == other.run.baselines && same_names(one.configs, other.configs) &&
         same_libraries(one.rivals, other.rivals);
}

bool nobody_was_rejected(const BenchResult& result) {
  return result.judgement.passes() && result.rejected_rivals.empty();
}

}  // namespace

void RaceQueue::time(const Race& race) {
  Entry own{.race = race, .alone = !race.together};
  std::unique_lock lock(m_mutex);
  m_waiting.push_back(&own);
  const auto is_next = [&] {
    return !m_running && !m_waiting.empty() && m_waiting.front() == &own;
  };
  while (!own.done) {
    if (!m_changed.wait(lock, race.stop, [&] { return own.done || is_next(); })) {
      if (std::erase(m_waiting, &own) > 0) {
        m_changed.notify_all();
        throw Cancelled();
      }
      m_changed.wait(lock, [&] { return own.done || is_next(); });
    }
    if (!own.done) run(lock, next());
  }
  if (own.error) std::rethrow_exception(own.error);
}

std::vector<RaceQueue::Entry*> RaceQueue::next() {
  Entry* const first = m_waiting.front();
  m_waiting.pop_front();
  std::vector<Entry*> taken{first};
  const std::size_t planned = kernels_of(first->race);
  const std::size_t most =
      std::min(m_raced_together, 1 + KernelTimer::max_turn_kernels(planned) - planned);
  for (auto other = m_waiting.begin(); other != m_waiting.end();) {
    const bool joins = !first->alone && !(*other)->alone && taken.size() < most &&
                       may_race_together(first->race, (*other)->race);
    if (joins) taken.push_back(*other);
    other = joins ? m_waiting.erase(other) : std::next(other);
  }
  return taken;
}

void RaceQueue::run(std::unique_lock<std::mutex>& lock, const std::vector<Entry*>& entries) {
  m_running = true;
  lock.unlock();
  std::exception_ptr error;
  bool again = false;
  try {
    again = !run_turn(entries);
  } catch (const Cancelled&) {
    error = std::current_exception();
  } catch (...) {
    error = std::current_exception();
    again = entries.size() > 1;
  }
  lock.lock();
  m_running = false;
  for (Entry* const entry : entries) {
    if (again) {
      entry->alone = true;
      m_waiting.push_back(entry);
    } else {
      entry->error = error;
      entry->done = true;
    }
  }
  m_changed.notify_all();
}

bool RaceQueue::run_turn(const std::vector<Entry*>& entries) {
  const Race& first = entries.front()->race;
  std::vector<BuiltKernel> kernels;
  std::vector<BenchRun> runs;
  for (const Entry* entry : entries) {
    kernels.push_back(entry->race.kernel);
    runs.push_back(entry->race.run);
  }
  kernels.insert(kernels.end(), first.rivals.begin(), first.rivals.end());
  TimingSlot::Turn turn(m_slot, first.configs, kernels, kernels_of(first), first.stop);
  try {
    const std::vector<BenchResult> results =
        bench_together(turn.timer(), first.configs, m_options, runs);
    if (entries.size() > 1 && !std::ranges::all_of(results, nobody_was_rejected)) return false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i]->race.on_result(results[i], turn.timer());
    }
    return true;
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    turn.discard_baselines();
    throw;
  }
}

}  // namespace robust_kbench
