#include "runner/captured_graph.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "device/driver_types.hpp"

namespace robust_kbench {
namespace {

bool is_fill_node(GraphDriver::Node node) {
  int type = 0;
  cuda_driver().check(graph_driver().get_node_type(node, &type), "cuGraphNodeGetType");
  return type == driver_types::fill_node;
}

}  // namespace

void DestroysGraph::operator()(void* graph) const {
  cuda_driver().destroy_graph(graph);
}

CapturedGraph capture_graph(void* stream, const std::function<void()>& work) {
  const CudaDriver& driver = cuda_driver();
  CudaDriver::Graph graph = nullptr;
  driver.check(driver.begin_capture(stream, CudaDriver::relaxed_capture), "cuStreamBeginCapture");
  try {
    work();
  } catch (...) {
    // A stream whose capture has failed captures until it is told to end.
    if (driver.end_capture(stream, &graph) == 0) driver.destroy_graph(graph);
    throw;
  }
  driver.check(driver.end_capture(stream, &graph), "cuStreamEndCapture");
  return CapturedGraph(graph);
}

bool begins_with_fill(const CapturedGraph& graph) {
  const CudaDriver& driver = cuda_driver();
  std::size_t count = 0;
  driver.check(graph_driver().get_root_nodes(graph.get(), nullptr, &count), "cuGraphGetRootNodes");
  if (count == 0) throw HarnessError("no work was captured");
  std::vector<GraphDriver::Node> roots(count);
  driver.check(graph_driver().get_root_nodes(graph.get(), roots.data(), &count),
               "cuGraphGetRootNodes");
  return std::ranges::all_of(roots, is_fill_node);
}

}  // namespace robust_kbench
