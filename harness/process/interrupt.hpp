#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace robust_kbench {

// Turns SIGINT and SIGTERM into a request to stop, while it lives. A second signal ends the
// program. Make it before any other thread, since threads inherit which signals they leave to it.
class InterruptStop {
 public:
  InterruptStop();
  ~InterruptStop();
  // In a process that was forked from that of this object: waits for its own signals.
  void wait_here();
  InterruptStop(const InterruptStop&) = delete;
  InterruptStop& operator=(const InterruptStop&) = delete;

  [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
  // The signal that came first, 0 before one came.
  [[nodiscard]] int signal() const { return m_signal; }

 private:
  void start_waiting();

  std::stop_source m_stop;
  std::atomic<int> m_signal = 0;
  std::jthread m_waiting;
};

}  // namespace robust_kbench
