#pragma once

#include <cstddef>
#include <memory>

#include "device/cuda_sweep.hpp"
#include "ipc/arena.hpp"
#include "runner/captured_graph.hpp"
#include "runner/work_graph.hpp"

namespace robust_kbench {

// What happens before each timed call, as a graph. It empties the cache, and has the addresses of
// the arena translated again, as GpuCalls does (runner/gpu_calls.hpp). Each sweep takes the same
// time, which is long enough for the lines that the call before has written. So their way to memory
// has no part in any time. A process has one, since it keeps memory and a stream of the GPU.
class SweepGraph {
 public:
  SweepGraph();

  // Makes the graphs for the present batch of an arena. A GPU takes longer to begin with a fill
  // than with a kernel. So where calls begin with a fill, an empty call is a fill of one word.
  void prepare(const Arena& arena, bool calls_begin_with_fill);
  // Valid until the next prepare().
  [[nodiscard]] GraphDriver::Graph alone() const { return m_alone.get(); }
  // Sweeps, with an empty call after each, ready to be launched.
  [[nodiscard]] std::unique_ptr<WorkGraph> with_empty_calls(std::size_t calls) const;

 private:
  void sweep(const Arena& arena) const;

  CudaSweep m_sweep;
  void* m_stream = nullptr;
  CapturedGraph m_alone;
  CapturedGraph m_with_empty_call;
};

}  // namespace robust_kbench
