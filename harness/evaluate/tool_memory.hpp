#pragma once

#include <condition_variable>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stop_token>

namespace robust_kbench {

// GPU memory that this process has claimed for sanitizers, which share it. So they need not wait
// for memory of other processes while their submission holds some.
class ToolMemory {
 public:
  // A part of the memory, until the end of the scope.
  struct GiveBack {
    std::size_t bytes = 0;
    void operator()(ToolMemory* memory) const { memory->give_back(bytes); }
  };
  using Share = std::unique_ptr<ToolMemory, GiveBack>;

  // Nobody may have a share or wait for one.
  void set_bytes(std::size_t bytes);

  // Waits until so much is free. Throws OutOfGpuMemory if there is less in all, and Cancelled once
  // `stop` is requested.
  Share take(std::size_t bytes, const std::stop_token& stop);

 private:
  void give_back(std::size_t bytes);

  std::mutex m_mutex;
  std::condition_variable_any m_changed;
  std::size_t m_bytes = 0;
  std::size_t m_free = 0;
};

}  // namespace robust_kbench
