#include "bench/keeper.hpp"

#include <utility>

namespace robust_kbench {

Keeper::Keeper(std::chrono::milliseconds idle_after, std::function<void()> on_idle)
    : m_idle_after(idle_after),
      m_on_idle(std::move(on_idle)),
      m_thread([this](const std::stop_token& stop) { serve(stop); }) {}

Keeper::Use::Use(Keeper& keeper) : m_keeper(keeper) {
  const std::scoped_lock lock(keeper.m_mutex);
  ++keeper.m_uses;
  keeper.m_rests = false;
}

Keeper::Use::~Use() {
  const std::scoped_lock lock(m_keeper.m_mutex);
  --m_keeper.m_uses;
  m_keeper.m_idle_since = std::chrono::steady_clock::now();
  m_keeper.m_changed.notify_all();
}

std::future<void> Keeper::run(std::function<void()> work) {
  std::packaged_task<void()> task(std::move(work));
  std::future<void> done = task.get_future();
  const std::scoped_lock lock(m_mutex);
  m_work.push_back(std::move(task));
  m_changed.notify_all();
  return done;
}

void Keeper::serve(const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  while (true) {
    if (!m_work.empty()) {
      std::packaged_task<void()> task = std::move(m_work.front());
      m_work.pop_front();
      lock.unlock();
      task();
      lock.lock();
    } else if (stop.stop_requested()) {
      return;
    } else if (!is_idle()) {
      m_changed.wait(lock, stop, [this] { return !m_work.empty() || is_idle(); });
    } else if (!m_changed.wait_until(lock, stop, m_idle_since + m_idle_after,
                                     [this] { return !m_work.empty() || !is_idle(); })) {
      if (stop.stop_requested()) return;
      m_rests = true;
      lock.unlock();
      m_on_idle();
      lock.lock();
    }
  }
}

}  // namespace robust_kbench
