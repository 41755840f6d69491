#pragma once

#include <stop_token>
#include <thread>

namespace robust_kbench {

// Turns SIGINT and SIGTERM into a request to stop, while it lives. A second signal ends the
// program. Make it before any other thread, since threads inherit which signals they leave to it.
class InterruptStop {
 public:
  InterruptStop();
  ~InterruptStop();
  InterruptStop(const InterruptStop&) = delete;
  InterruptStop& operator=(const InterruptStop&) = delete;

  [[nodiscard]] std::stop_token token() const { return m_stop.get_token(); }

 private:
  std::stop_source m_stop;
  std::jthread m_waiting;
};

}  // namespace robust_kbench
