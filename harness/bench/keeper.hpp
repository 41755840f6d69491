#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <exception>
#include <functional>
#include <future>
#include <mutex>
#include <stop_token>
#include <thread>

namespace robust_kbench {

// A thread that starts workers for other threads, since a worker dies with the thread that started
// it. It calls `on_idle` between uses.
class Keeper {
 public:
  // The keeper's thread calls `on_idle` once when the keeper has not been used for `idle_after`.
  Keeper(std::chrono::milliseconds idle_after, std::function<void()> on_idle);

  // The keeper is in use while a Use exists.
  class Use {
   public:
    explicit Use(Keeper& keeper);
    ~Use();
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;

   private:
    Keeper& m_keeper;
  };

  // Calls `work` in the thread, after all earlier work. The future holds any exception that it
  // throws.
  std::future<void> run(std::function<void()> work);

 private:
  void serve(const std::stop_token& stop);
  [[nodiscard]] bool is_idle() const { return m_uses == 0 && !m_rests; }

  const std::chrono::milliseconds m_idle_after;
  const std::function<void()> m_on_idle;
  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::deque<std::packaged_task<void()>> m_work;
  int m_uses = 0;
  bool m_rests = true;  // `on_idle` was called since the last use, or there was no use
  std::chrono::steady_clock::time_point m_idle_since;
  std::jthread m_thread;  // last, since it uses the other members
};

}  // namespace robust_kbench
