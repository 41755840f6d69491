#include "evolve/time_limit.hpp"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

#include "core/cancelled.hpp"

namespace robust_kbench {
namespace {

// Short beside what a candidate takes.
constexpr auto between_looks = std::chrono::milliseconds(50);

}  // namespace

bool was_cut_short(const ProposalRow& row) {
  return row.reason_class == time_limit;
}

void TimeLimit::watch(std::function<bool()> is_over) {
  if (m_journal.replays()) return;
  m_asked = std::move(is_over);
  m_watching = std::jthread([this](const std::stop_token& ended) {
    std::mutex mutex;
    std::condition_variable_any none;
    std::unique_lock lock(mutex);
    while (!ended.stop_requested() && !this->is_over()) {
      none.wait_for(lock, ended, between_looks, [] { return false; });
    }
  });
}

void TimeLimit::end_watch() {
  m_watching = {};
}

bool TimeLimit::is_over() {
  if (!m_over && m_asked && m_asked()) {
    m_over = true;
    m_search.request_stop();
  }
  return m_over;
}

void TimeLimit::run(const std::string& name, const std::function<void()>& work) {
  const std::string key = "time_limit/" + name;
  const auto cut_short = [&] {
    (void)m_journal.once(key, [] { return nlohmann::json(true); });
    throw TimeIsOver();
  };
  if (m_journal.find(key)) cut_short();
  try {
    work();
  } catch (const Cancelled&) {
    if (!m_over) throw;
    cut_short();
  }
}

nlohmann::json TimeLimit::once(const std::string& key,
                               const std::function<nlohmann::json()>& effect) {
  nlohmann::json value;
  run(key, [&] {
    value = m_journal.once(key, [&] {
      if (is_over()) throw Cancelled();
      return effect();
    });
  });
  return value;
}

}  // namespace robust_kbench
