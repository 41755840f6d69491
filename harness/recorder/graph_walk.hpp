#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// A graph's nodes in an order in which each comes after those that it waits for. Child graphs are
// written out. Addresses are absolute.
struct WalkedGraph {
  // The content of an upload, which the graph reads from the host whenever it is launched.
  struct HostRead {
    std::size_t node;
    const void* memory;
    std::size_t bytes;
  };
  std::vector<RecordedNode> nodes;
  std::vector<HostRead> host_reads;
  // Work of the graph that no other process can repeat, with reasons.
  std::vector<std::pair<ReplayObstacle::Kind, std::string>> obstacles;
};

WalkedGraph walk_graph(void* graph);

}  // namespace robust_kbench::recorder
