#include "runner/sweep_graph.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>

#include "device/cuda_driver.hpp"
#include "device/gpu_facts.hpp"

namespace robust_kbench {
namespace {

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

void SweepGraph::prepare(const Arena& arena, bool calls_begin_with_fill) {
  m_alone = capture_graph(m_stream, [&] { sweep(arena); });
  m_with_empty_call = capture_graph(m_stream, [&] {
    sweep(arena);
    if (calls_begin_with_fill) {
      m_sweep.launch_empty_fill(m_stream);
    } else {
      m_sweep.launch_empty_kernel(m_stream);
    }
  });
}

std::unique_ptr<WorkGraph> SweepGraph::with_empty_calls(std::size_t calls) const {
  auto graph = std::make_unique<WorkGraph>();
  for (std::size_t i = 0; i < calls; ++i) graph->append(m_with_empty_call.get());
  graph->finish();
  return graph;
}

void SweepGraph::sweep(const Arena& arena) const {
  const ArenaHeader& header = arena.header();
  const std::size_t begin = std::min<std::size_t>(header.kernel_begin, arena.size());
  const std::size_t end = std::clamp<std::size_t>(header.poisoned_until, begin, arena.size());
  m_sweep.run(m_stream);
  m_sweep.touch(arena.data(), begin, m_stream);
  m_sweep.touch(arena.kernel_data() + begin, end - begin, m_stream);
}

}  // namespace robust_kbench
