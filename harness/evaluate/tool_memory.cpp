#include "evaluate/tool_memory.hpp"

#include "core/cancelled.hpp"
#include "device/gpu_memory_wait.hpp"

#include <fmt/format.h>

namespace robust_kbench {

void ToolMemory::set_bytes(std::size_t bytes) {
  const std::scoped_lock lock(m_mutex);
  m_bytes = m_free = bytes;
}

ToolMemory::Share ToolMemory::take(std::size_t bytes, const std::stop_token& stop) {
  std::unique_lock lock(m_mutex);
  if (bytes > m_bytes) {
    throw OutOfGpuMemory(fmt::format("it needs {} MiB of GPU memory, and tests leave {} MiB",
                                     bytes >> 20, m_bytes >> 20));
  }
  if (!m_changed.wait(lock, stop, [&] { return bytes <= m_free; })) throw Cancelled();
  m_free -= bytes;
  return {this, GiveBack{bytes}};
}

void ToolMemory::give_back(std::size_t bytes) {
  {
    const std::scoped_lock lock(m_mutex);
    m_free += bytes;
  }
  m_changed.notify_all();
}

}  // namespace robust_kbench
