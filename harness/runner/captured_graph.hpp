#pragma once

#include <functional>
#include <memory>

#include "device/graph_driver.hpp"

namespace robust_kbench {

struct DestroysGraph {
  void operator()(void* graph) const;
};
// A graph of the driver's that is no executable yet.
using CapturedGraph = std::unique_ptr<void, DestroysGraph>;

// Captures what `work` gives to a stream. What it gives to others is not captured, and runs at
// once. Other threads go on meanwhile, since torch's autograd has a thread of its own. Throws what
// `work` throws, and HarnessError where the driver cannot capture it. The stream can be used
// afterwards in any case.
CapturedGraph capture_graph(void* stream, const std::function<void()>& work);

// Whether fills are all that a graph begins with. Throws HarnessError where it has no work.
bool begins_with_fill(const CapturedGraph& graph);

}  // namespace robust_kbench
