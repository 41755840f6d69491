#include "evaluate/race_queue.hpp"

#include <algorithm>
#include <chrono>

#include "core/cancelled.hpp"

namespace robust_kbench {
namespace {

// Those of a race that is not shared. Memory is planned for so many.
std::size_t kernels_in(const Race& race) {
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
         one.run.baselines == other.run.baselines &&
         one.kernel.max_workers == other.kernel.max_workers &&
         same_names(one.configs, other.configs) && same_libraries(one.rivals, other.rivals);
}

bool nobody_was_rejected(const BenchResult& result) {
  return result.judgement.passes() && result.rejected_rivals.empty();
}

}  // namespace

RaceQueue::Coming::Coming(RaceQueue& queue, const Race& race) : m_queue(queue), m_race(race) {
  const std::scoped_lock lock(queue.m_mutex);
  queue.m_coming.push_back(this);
}

RaceQueue::Coming::~Coming() {
  const std::scoped_lock lock(m_queue.m_mutex);
  std::erase(m_queue.m_coming, this);
  m_queue.m_changed.notify_all();
}

void RaceQueue::time(const Race& race) {
  Entry own{.race = race, .alone = !race.together};
  std::unique_lock lock(m_mutex);
  std::erase_if(m_coming, [&](const Coming* coming) { return &coming->m_race == &race; });
  m_waiting.push_back(&own);
  m_changed.notify_all();
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
    if (!own.done) run(lock);
  }
  if (own.error) std::rethrow_exception(own.error);
}

std::size_t RaceQueue::places(const Entry& first) const {
  if (first.alone) return 1;
  const Race& race = first.race;
  return std::min(static_cast<std::size_t>(m_options.raced_together),
                  m_slot.max_entrants(race.configs, race.kernel, race.rivals));
}

std::vector<RaceQueue::Entry*> RaceQueue::next(std::unique_lock<std::mutex>& lock) {
  const Entry* const first = m_waiting.front();
  const std::size_t places = this->places(*first);
  const auto joins = [&](const Entry* entry) {
    return entry == first || (!entry->alone && may_race_together(first->race, entry->race));
  };
  const auto is_awaited = [&](const Coming* coming) {
    return std::chrono::steady_clock::now() - coming->m_since < m_options.longest_awaited_test &&
           may_race_together(first->race, coming->m_race);
  };
  const auto is_complete = [&] {
    return static_cast<std::size_t>(std::ranges::count_if(m_waiting, joins)) >= places ||
           std::ranges::none_of(m_coming, is_awaited);
  };
  if (places > 1) m_changed.wait_for(lock, m_options.longest_race_wait, is_complete);
  std::vector<Entry*> taken;
  for (auto entry = m_waiting.begin(); entry != m_waiting.end() && taken.size() < places;) {
    const bool is_taken = joins(*entry);
    if (is_taken) taken.push_back(*entry);
    entry = is_taken ? m_waiting.erase(entry) : std::next(entry);
  }
  return taken;
}

void RaceQueue::run(std::unique_lock<std::mutex>& lock) {
  m_running = true;
  const std::vector<Entry*> entries = next(lock);
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
  const auto start = m_options.now();
  const Race& first = entries.front()->race;
  std::vector<BuiltKernel> kernels;
  std::vector<BenchRun> runs;
  for (const Entry* entry : entries) {
    kernels.push_back(entry->race.kernel);
    runs.push_back(entry->race.run);
  }
  kernels.insert(kernels.end(), first.rivals.begin(), first.rivals.end());
  TimingSlot::Turn turn(m_slot, first.configs, kernels, kernels_in(first), first.stop);
  try {
    const std::vector<BenchResult> results =
        bench_together(turn.timer(), first.configs, m_options.bench, runs);
    if (entries.size() > 1 && !std::ranges::all_of(results, nobody_was_rejected)) return false;
    const std::chrono::duration<double> took = m_options.now() - start;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i]->race.on_result(results[i], turn.timer(),
                                 took.count() / static_cast<double>(entries.size()));
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
