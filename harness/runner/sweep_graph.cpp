#include "runner/sweep_graph.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <utility>

#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

constexpr int relaxed_mode = 2;  // CU_STREAM_CAPTURE_MODE_RELAXED

// A sweep reads twice the cache, and the cache's lines are written back meanwhile. The bandwidth of
// the memory allows both in this time. Each needs a moment to begin.
std::chrono::nanoseconds long_enough() {
  constexpr double begin_us = 20;
  const GpuFacts& gpu = gpu_facts();
  const double swept_us = 1e6 * 2 * static_cast<double>(gpu.l2_bytes) / gpu.memory_bytes_per_s;
  return std::chrono::nanoseconds(static_cast<std::int64_t>(1e3 * (2 * swept_us + begin_us)));
}

}  // namespace

SweepGraph::SweepGraph() : m_sweep(long_enough()) {
  cuda_driver().check(cuda_driver().create_stream(&m_stream, CudaDriver::non_blocking_stream, 0),
                      "cuStreamCreateWithPriority");
}

SweepGraph::~SweepGraph() {
  destroy();
}

void SweepGraph::destroy() {
  for (GraphDriver::Graph* graph : {&m_alone, &m_with_empty_call}) {
    if (*graph != nullptr) cuda_driver().destroy_graph(std::exchange(*graph, nullptr));
  }
}

void SweepGraph::prepare(const Arena& arena, bool calls_begin_with_fill) {
  destroy();
  m_alone = captured(arena, Then::nothing);
  m_with_empty_call =
      captured(arena, calls_begin_with_fill ? Then::empty_fill : Then::empty_kernel);
}

std::unique_ptr<WorkGraph> SweepGraph::with_empty_calls(std::size_t calls) const {
  auto graph = std::make_unique<WorkGraph>();
  for (std::size_t i = 0; i < calls; ++i) graph->append(m_with_empty_call);
  graph->finish();
  return graph;
}

GraphDriver::Graph SweepGraph::captured(const Arena& arena, Then then) const {
  const CudaDriver& driver = cuda_driver();
  const ArenaHeader& header = arena.header();
  const std::size_t begin = std::min<std::size_t>(header.kernel_begin, arena.size());
  const std::size_t end = std::clamp<std::size_t>(header.poisoned_until, begin, arena.size());
  GraphDriver::Graph graph = nullptr;
  driver.check(driver.begin_capture(m_stream, relaxed_mode), "cuStreamBeginCapture");
  m_sweep.run(m_stream);
  m_sweep.touch(arena.data(), begin, m_stream);
  m_sweep.touch(arena.kernel_data() + begin, end - begin, m_stream);
  if (then == Then::empty_kernel) m_sweep.launch_empty_kernel(m_stream);
  if (then == Then::empty_fill) m_sweep.launch_empty_fill(m_stream);
  driver.check(driver.end_capture(m_stream, &graph), "cuStreamEndCapture");
  return graph;
}

}  // namespace robust_kbench
