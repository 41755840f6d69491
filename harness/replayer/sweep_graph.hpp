#pragma once

#include "device/cuda_sweep.hpp"
#include "ipc/arena.hpp"
#include "replayer/graph_driver.hpp"

namespace robust_kbench {

// What happens before each timed call, as a graph. It empties the cache, and has the addresses of
// the arena translated again, as GpuCalls does (runner/gpu_calls.hpp). Each sweep takes the same
// time, which is long enough for the lines that the call before has written. So their way to memory
// has no part in any time.
class SweepGraph {
 public:
  SweepGraph();
  ~SweepGraph();
  SweepGraph(const SweepGraph&) = delete;
  SweepGraph& operator=(const SweepGraph&) = delete;

  // Makes the graphs for the present batch of an arena.
  void prepare(const Arena& arena);
  // Both are valid until the next prepare().
  [[nodiscard]] GraphDriver::Graph alone() const { return m_alone; }
  [[nodiscard]] GraphDriver::Graph with_empty_kernel() const { return m_with_empty_kernel; }

 private:
  [[nodiscard]] GraphDriver::Graph captured(const Arena& arena, bool with_empty_kernel) const;
  void destroy();

  CudaSweep m_sweep;
  void* m_stream = nullptr;
  GraphDriver::Graph m_alone = nullptr;
  GraphDriver::Graph m_with_empty_kernel = nullptr;
};

}  // namespace robust_kbench
