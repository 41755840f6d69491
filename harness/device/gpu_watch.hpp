#pragma once

#include <condition_variable>
#include <mutex>
#include <optional>
#include <thread>

#include "device/gpu_state.hpp"

namespace robust_kbench {

// Polls the state of GPU 0 in a thread of its own. The driver takes milliseconds to answer, and
// tens of them while other processes start or end.
class GpuWatch {
 public:
  GpuWatch();

  // The latest answer, some tens of milliseconds old.
  [[nodiscard]] std::optional<GpuState> state() const;

 private:
  void watch(const std::stop_token& stop);

  mutable std::mutex m_mutex;
  std::condition_variable_any m_stopping;
  std::optional<GpuState> m_state;
  std::jthread m_thread;  // last, so that it ends before the members that it uses are destroyed
};

}  // namespace robust_kbench
