#include "device/gpu_watch.hpp"

#include <chrono>

namespace robust_kbench {
namespace {

constexpr std::chrono::milliseconds sample_interval{20};

}  // namespace

GpuWatch::GpuWatch()
    : m_state(gpu_state()), m_thread([this](const std::stop_token& stop) { watch(stop); }) {}

std::optional<GpuState> GpuWatch::state() const {
  const std::scoped_lock lock(m_mutex);
  return m_state;
}

void GpuWatch::watch(const std::stop_token& stop) {
  while (!stop.stop_requested()) {
    const std::optional<GpuState> state = gpu_state();
    std::unique_lock lock(m_mutex);
    m_state = state;
    m_stopping.wait_for(lock, stop, sample_interval, [] { return false; });
  }
}

}  // namespace robust_kbench
