#pragma once

#include "device/cuda_sweep.hpp"
#include "ipc/arena.hpp"
#include "replayer/graph_driver.hpp"

namespace robust_kbench {

// What happens before each timed call, as a graph. It empties the cache, and has the addresses of
// the arena translated again, as GpuCalls does (runner/gpu_calls.hpp).
class SweepGraph {
 public:
  SweepGraph();

  // The graph for the present batch of an arena. It is valid until the next call.
  GraphDriver::Graph of(const Arena& arena);

 private:
  CudaSweep m_sweep;
  void* m_stream = nullptr;
  GraphDriver::Graph m_graph = nullptr;
};

}  // namespace robust_kbench
