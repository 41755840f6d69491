#include "evolve/time_limit.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "archive/refusal.hpp"
#include "core/cancelled.hpp"

namespace robust_kbench {
namespace {

// The time between looks at the clock, which is short beside a candidate's evaluation.
constexpr auto between_looks = std::chrono::milliseconds(50);

// Work that is under way on a GPU takes about as long to end.
constexpr double seconds_to_end = 1;

}  // namespace

bool was_cut_short(const ProposalRow& row) {
  return row.reason_class == refusal::time_limit;
}

void TimeLimit::watch(std::function<double()> seconds_left, const SecondsToKeep& keep) {
  if (m_journal.replays()) return;
  m_seconds_left = std::move(seconds_left);
  m_keep = keep;
  m_watching = std::jthread([this](const std::stop_token& ended) {
    std::mutex mutex;
    std::condition_variable_any none;
    std::unique_lock lock(mutex);
    while (!ended.stop_requested() && !is_over()) {
      (void)are_first_races_over();
      none.wait_for(lock, ended, between_looks, [] { return false; });
    }
  });
}

void TimeLimit::end_watch() {
  m_watching = {};
}

bool TimeLimit::is_over() {
  const double needed = m_is_awaited ? m_keep.confirmation : seconds_to_end;
  if (!m_over && m_seconds_left && m_seconds_left() <= needed) {
    m_over = true;
    m_search.request_stop();
  }
  return m_over;
}

bool TimeLimit::are_first_races_over() {
  const double needed = m_keep.confirmation + m_keep.finishing;
  const bool is_late = m_finishing > 0 && m_seconds_left && m_seconds_left() <= needed;
  if (!m_first_races_over && (is_over() || is_late)) {
    m_first_races_over = true;
    m_first_races.request_stop();
  }
  return m_first_races_over;
}

void TimeLimit::cut_short(const std::string& key) {
  (void)m_journal.once(key, [] { return nlohmann::json(true); });
  throw TimeIsOver();
}

// A run that goes on must let a kernel pass that it has let pass before, as that may have been
// accepted.
void TimeLimit::require_time_to_confirm(const std::string& name) {
  const std::string key = "time_to_confirm/" + name;
  if (m_journal.replays() && !m_journal.find(key)) return;
  const bool is_left = m_journal.once(key, [this] {
    return nlohmann::json(!m_seconds_left || m_seconds_left() > m_keep.confirmation);
  });
  if (!is_left) {
    throw TimeIsOver{"it won its first race, but the run's minutes left no time to confirm it"};
  }
}

void TimeLimit::run(bool at_first, const std::string& name, const std::function<void()>& work) {
  const std::string key = "time_limit/" + name;
  if (m_journal.find(key)) cut_short(key);
  try {
    work();
  } catch (const Cancelled&) {
    if (!m_over && !(at_first && m_first_races_over)) throw;
    cut_short(key);
  }
}

void TimeLimit::run(const std::string& name, const std::function<void()>& work) {
  run(false, name, work);
}

nlohmann::json TimeLimit::once(const std::string& key,
                               const std::function<nlohmann::json()>& effect) {
  nlohmann::json value;
  run(false, key, [&] {
    value = m_journal.once(key, [&] {
      if (is_over()) throw Cancelled();
      return effect();
    });
  });
  return value;
}

nlohmann::json TimeLimit::once_at_first(const std::string& key,
                                        const std::function<nlohmann::json()>& effect) {
  nlohmann::json value;
  run(true, key, [&] {
    value = m_journal.once(key, [&] {
      if (are_first_races_over()) throw Cancelled();
      return effect();
    });
  });
  return value;
}

}  // namespace robust_kbench
