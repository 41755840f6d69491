#include "evaluate/race_queue.hpp"

#include <algorithm>
#include <chrono>
#include <optional>

#include "core/cancelled.hpp"
#include "evaluate/place_in_line.hpp"

namespace robust_kbench {
namespace {

// The number of kernels in a race that is not shared, for which memory is planned.
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

// Races share a stop, so that cancelling one cancels all.
bool may_race_together(const Race& one, const Race& other) {
  return one.together && other.together && one.stop == other.stop &&
         one.run.baselines == other.run.baselines &&
         one.kernel.max_workers == other.kernel.max_workers &&
         same_names(one.configs, other.configs) && same_libraries(one.rivals, other.rivals);
}

template <typename Entries>
std::vector<BuiltKernel> built_kernels(const Entries& entries) {
  std::vector<BuiltKernel> kernels;
  for (const auto* entry : entries) kernels.push_back(entry->race.kernel);
  return kernels;
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
  line_up(own);
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

void RaceQueue::line_up(Entry& entry) {
  std::vector<bool> go_first;
  for (const Entry* waiting : m_waiting) go_first.push_back(waiting->race.goes_first);
  const std::size_t place = place_in_line(go_first, entry.race.goes_first);
  m_waiting.insert(m_waiting.begin() + static_cast<std::ptrdiff_t>(place), &entry);
}

std::vector<RaceQueue::Entry*> RaceQueue::joining(const Entry& first, std::size_t places,
                                                  Moment deadline) {
  std::vector<Entry*> taken;
  if (places == 0) return taken;
  std::unique_lock lock(m_mutex);
  const auto joins = [&](const Entry* entry) {
    return !entry->alone && may_race_together(first.race, entry->race);
  };
  const auto is_awaited = [&](const Coming* coming) {
    return std::chrono::steady_clock::now() - coming->m_since < m_options.longest_awaited_test &&
           may_race_together(first.race, coming->m_race);
  };
  m_changed.wait_until(lock, first.race.stop, deadline, [&] {
    return std::ranges::any_of(m_waiting, joins) || std::ranges::none_of(m_coming, is_awaited);
  });
  for (auto entry = m_waiting.begin(); entry != m_waiting.end() && taken.size() < places;) {
    const bool is_taken = joins(*entry);
    if (is_taken) taken.push_back(*entry);
    entry = is_taken ? m_waiting.erase(entry) : std::next(entry);
  }
  return taken;
}

void RaceQueue::run(std::unique_lock<std::mutex>& lock) {
  m_running = true;
  std::vector<Entry*> entries{m_waiting.front()};
  m_waiting.pop_front();
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
      line_up(*entry);
    } else {
      entry->error = error;
      entry->done = true;
    }
  }
  m_changed.notify_all();
}

bool RaceQueue::run_turn(std::vector<Entry*>& entries) {
  const Entry& leader = *entries.front();
  const Race& first = leader.race;
  const std::size_t places = this->places(leader);
  std::chrono::duration<double> took{};
  // Time spent waiting for others counts for no kernel.
  const auto counted = [&](const auto& work) {
    const auto start = m_options.now();
    work();
    took += m_options.now() - start;
  };
  for (Entry* entry : joining(leader, places - 1, Moment::min())) entries.push_back(entry);
  std::vector<BuiltKernel> kernels = built_kernels(entries);
  kernels.insert(kernels.end(), first.rivals.begin(), first.rivals.end());
  std::optional<TimingSlot::Turn> turn;
  counted([&] { turn.emplace(m_slot, first.configs, kernels, kernels_in(first), first.stop); });
  try {
    const Moment deadline = std::chrono::steady_clock::now() + m_options.longest_race_wait;
    while (true) {
      const std::vector<Entry*> more = joining(leader, places - entries.size(), deadline);
      if (more.empty()) break;
      const std::size_t place = entries.size();
      entries.insert(entries.end(), more.begin(), more.end());
      counted([&] { turn->add(built_kernels(more), place); });
    }
    std::vector<BenchRun> runs;
    for (const Entry* entry : entries) runs.push_back(entry->race.run);
    std::vector<BenchResult> results;
    counted([&] { results = bench_together(turn->timer(), first.configs, m_options.bench, runs); });
    if (entries.size() > 1 && !std::ranges::all_of(results, nobody_was_rejected)) return false;
    for (std::size_t i = 0; i < entries.size(); ++i) {
      entries[i]->race.on_result(results[i], turn->timer(),
                                 took.count() / static_cast<double>(entries.size()));
    }
    return true;
  } catch (const Cancelled&) {
    throw;
  } catch (...) {
    turn->discard_baselines();
    throw;
  }
}

}  // namespace robust_kbench
