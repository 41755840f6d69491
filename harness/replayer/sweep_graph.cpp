#include "replayer/sweep_graph.hpp"

#include <algorithm>

#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

constexpr int relaxed_mode = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED

}  // namespace

SweepGraph::SweepGraph() {
  cuda_driver().check(cuda_driver().create_stream(&m_stream, CudaDriver::non_blocking_stream, 0),
                      "cuStreamCreateWithPriority");
}

GraphDriver::Graph SweepGraph::of(const Arena& arena) {
  const CudaDriver& driver = cuda_driver();
  if (m_graph != nullptr) driver.destroy_graph(m_graph);
  m_graph = nullptr;
  const ArenaHeader& header = arena.header();
  const std::size_t begin = std::min<std::size_t>(header.kernel_begin, arena.size());
  const std::size_t end = std::clamp<std::size_t>(header.poisoned_until, begin, arena.size());
  driver.check(driver.begin_capture(m_stream, relaxed_mode), "cuStreamBeginCapture");
  m_sweep.run(m_stream);
  m_sweep.touch(arena.data(), begin, m_stream);
  m_sweep.touch(arena.kernel_data() + begin, end - begin, m_stream);
  driver.check(driver.end_capture(m_stream, &m_graph), "cuStreamEndCapture");
  return m_graph;
}

}  // namespace robust_kbench
