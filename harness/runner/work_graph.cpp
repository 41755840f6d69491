#include "runner/work_graph.hpp"

#include "device/cuda_driver.hpp"

namespace robust_kbench {

WorkGraph::WorkGraph() {
  cuda_driver().check(graph_driver().create_graph(&m_graph, 0), "cuGraphCreate");
}

WorkGraph::~WorkGraph() {
  // After an error of the GPU the driver frees nothing, and the process is about to end.
  if (m_executable != nullptr) cuda_driver().destroy_executable(m_executable);
  cuda_driver().destroy_graph(m_graph);
}

void WorkGraph::append(GraphDriver::Graph child) {
  GraphDriver::Node node = nullptr;
  cuda_driver().check(graph_driver().add_child(&node, m_graph, m_ends.data(), m_ends.size(), child),
                      "cuGraphAddChildGraphNode");
  m_ends = {node};
}

void WorkGraph::finish() {
  cuda_driver().check(cuda_driver().instantiate_graph(&m_executable, m_graph, 0),
                      "cuGraphInstantiateWithFlags");
  cuda_driver().check(graph_driver().upload_graph(m_executable, nullptr), "cuGraphUpload");
}

void WorkGraph::launch() const {
  cuda_driver().check(cuda_driver().launch_graph(m_executable, nullptr), "cuGraphLaunch");
}

}  // namespace robust_kbench
