#pragma once

#include <vector>

#include "device/graph_driver.hpp"

namespace robust_kbench {

// A graph of the driver's, made of works one after the other.
class WorkGraph {
 public:
  // All functions throw HarnessError where the driver fails.
  WorkGraph();
  ~WorkGraph();
  WorkGraph(const WorkGraph&) = delete;
  WorkGraph& operator=(const WorkGraph&) = delete;

  // Appends a copy of another graph, which begins when all that was appended before has ended.
  void append(GraphDriver::Graph child);
  // Makes it ready to be launched. Nothing can be appended from then on.
  void finish();
  // Enqueues it on the default stream.
  void launch() const;

 protected:
  GraphDriver::Graph m_graph = nullptr;
  std::vector<GraphDriver::Node> m_ends;  // what appended work waits for

 private:
  void* m_executable = nullptr;
};

}  // namespace robust_kbench
