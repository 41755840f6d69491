#pragma once

#include <atomic>
#include <stop_token>
#include <thread>

namespace robust_kbench {

// While an object lives, SIGINT and SIGTERM request a stop. A second signal ends the program. Make
// the object before any other thread, since later threads inherit that these signals are blocked.
class InterruptStop {
 public:
  InterruptStop();
  ~InterruptStop();
  // Call it in a forked child, which has no waiting thread: starts one for the child's own signals.
  void wait_here();
  InterruptStop(const InterruptStop&) = delete;
  InterruptStop& operator=(const InterruptStop&) = delete;

  [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }
  // The signal that requested the stop; 0 if none has.
  [[nodiscard]] int signal() const { return m_signal; }

 private:
  void start_waiting();

  std::stop_source m_stop;
  std::atomic<int> m_signal = 0;
  std::jthread m_waiting;
};

}  // namespace robust_kbench
