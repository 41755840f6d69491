#include "recorder/graph_walk.hpp"

#include <algorithm>
#include <array>
#include <map>

#include "device/driver_types.hpp"
#include "recorder/launch.hpp"
#include "recorder/real_driver.hpp"

namespace robust_kbench::recorder {
namespace {

using driver_types::CopyNode;
using driver_types::FillNode;
using driver_types::KernelNode;
using driver_types::LaunchAttribute;
using Kind = ReplayObstacle::Kind;

constexpr int deepest_child = 8;

struct Edge {
  void* from;
  void* to;
  bool is_programmatic;
};

RecordedPlace absolute(std::uint64_t address) {
  return {RecordedPlace::Kind::absolute, 0, address};
}

std::vector<void*> nodes_of(void* graph) {
  static const auto get = real<int (*)(void*, void**, std::size_t*)>("cuGraphGetNodes");
  std::size_t count = 0;
  if (get(graph, nullptr, &count) != 0) return {};
  std::vector<void*> nodes(count);
  if (count > 0) get(graph, nodes.data(), &count);
  return nodes;
}

std::vector<Edge> edges_of(void* graph) {
  static const auto get =
      real<int (*)(void*, void**, void**, driver_types::EdgeData*, std::size_t*)>(
          "cuGraphGetEdges_v2");
  std::size_t count = 0;
  if (get(graph, nullptr, nullptr, nullptr, &count) != 0 || count == 0) return {};
  std::vector<void*> from(count);
  std::vector<void*> to(count);
  std::vector<driver_types::EdgeData> data(count);
  get(graph, from.data(), to.data(), data.data(), &count);
  std::vector<Edge> edges;
  for (std::size_t i = 0; i < count; ++i) edges.push_back({from[i], to[i], data[i].type != 0});
  return edges;
}

int type_of(void* node) {
  static const auto get = real<int (*)(void*, int*)>("cuGraphNodeGetType");
  int type = -1;
  get(node, &type);
  return type;
}

class GraphWalk {
 public:
  WalkedGraph walk(void* graph) {
    walk_at(graph, {}, 0);
    return std::move(m_walked);
  }

 private:
  using Dependencies = std::vector<RecordedNode::Dependency>;

  // Adds the graph's nodes. Its roots wait for `before`. Returns the nodes that nothing waits for.
  Dependencies walk_at(void* graph, const Dependencies& before, int depth) {
    const std::vector<Edge> edges = edges_of(graph);
    std::map<void*, std::size_t> missing;
    std::vector<void*> ready;
    for (void* node : nodes_of(graph)) missing[node] = 0;
    for (const Edge& edge : edges) ++missing[edge.to];
    for (void* node : nodes_of(graph)) {
      if (missing[node] == 0) ready.push_back(node);
    }
    std::map<void*, Dependencies> ends;
    for (std::size_t i = 0; i < ready.size(); ++i) {
      void* node = ready[i];
      ends[node] = add(node, dependencies_of(node, edges, ends, before), depth);
      for (const Edge& edge : edges) {
        if (edge.from == node && --missing[edge.to] == 0) ready.push_back(edge.to);
      }
    }
    return leaves(ready, edges, ends, before);
  }

  static Dependencies dependencies_of(void* node, const std::vector<Edge>& edges,
                                      const std::map<void*, Dependencies>& ends,
                                      const Dependencies& before) {
    Dependencies dependencies;
    bool is_root = true;
    for (const Edge& edge : edges) {
      if (edge.to != node) continue;
      is_root = false;
      for (RecordedNode::Dependency dependency : ends.at(edge.from)) {
        dependency.is_programmatic = edge.is_programmatic ? 1 : 0;
        dependencies.push_back(dependency);
      }
    }
    return is_root ? before : dependencies;
  }

  static Dependencies leaves(const std::vector<void*>& nodes, const std::vector<Edge>& edges,
                             const std::map<void*, Dependencies>& ends,
                             const Dependencies& before) {
    Dependencies all;
    for (void* node : nodes) {
      const bool is_leaf = std::none_of(edges.begin(), edges.end(),
                                        [&](const Edge& edge) { return edge.from == node; });
      if (is_leaf) all.insert(all.end(), ends.at(node).begin(), ends.at(node).end());
    }
    return nodes.empty() ? before : all;
  }

  // Adds one node, and returns what later ones must wait for.
  Dependencies add(void* node, const Dependencies& after, int depth) {
    const int type = type_of(node);
    if (type == driver_types::child_node) return add_child(node, after, depth);
    const std::size_t number = m_walked.nodes.size();
    m_walked.nodes.push_back({.work = RecordedNothing{}, .after = after});
    RecordedWork work = work_of(node, type);
    m_walked.nodes[number].work = std::move(work);
    return {{.node = static_cast<std::uint32_t>(number), .is_programmatic = 0}};
  }

  Dependencies add_child(void* node, const Dependencies& after, int depth) {
    static const auto get = real<int (*)(void*, void**)>("cuGraphChildGraphNodeGetGraph");
    void* child = nullptr;
    if (depth == deepest_child || get(node, &child) != 0) {
      m_walked.obstacles.emplace_back(Kind::unknown_call, "graphs within graphs, too deep");
      return after;
    }
    return walk_at(child, after, depth + 1);
  }

  RecordedWork work_of(void* node, int type) {
    switch (type) {
      case driver_types::kernel_node:
        return launch_of_node(node);
      case driver_types::copy_node:
        return copy_of_node(node);
      case driver_types::fill_node:
        return fill_of_node(node);
      case driver_types::host_node:
        m_walked.obstacles.emplace_back(Kind::host_function, "a graph's host node");
        return RecordedNothing{};
      case driver_types::empty_node:
        return RecordedNothing{};
      default:
        m_walked.obstacles.emplace_back(Kind::unknown_call,
                                        "a graph node of type " + std::to_string(type));
        return RecordedNothing{};
    }
  }

  RecordedWork launch_of_node(void* node) {
    static const auto get = real<int (*)(void*, KernelNode*)>("cuGraphKernelNodeGetParams_v2");
    KernelNode kernel{};
    if (get(node, &kernel) != 0) return unreadable();
    auto launch =
        launch_of({.function = kernel.function != nullptr ? kernel.function : kernel.kernel,
                   .grid = kernel.grid,
                   .block = kernel.block,
                   .shared_bytes = kernel.shared_bytes,
                   .parameters = kernel.parameters,
                   .extra = kernel.extra});
    if (!launch) {
      m_walked.obstacles.emplace_back(Kind::image, "a graph's kernel of unknown code");
      return RecordedNothing{};
    }
    add_attributes(node, *launch);
    return std::move(*launch);
  }

  // Asks for each attribute, since a node does not list those that it has.
  void add_attributes(void* node, RecordedLaunch& launch) {
    static const auto get =
        real<int (*)(void*, std::uint32_t, void*)>("cuGraphKernelNodeGetAttribute");
    for (const std::uint32_t id :
         {driver_types::cooperative, driver_types::cluster_dimension,
          driver_types::cluster_scheduling_policy, driver_types::priority,
          driver_types::preferred_cluster_dimension, driver_types::shared_memory_carveout,
          driver_types::access_policy_window, driver_types::device_updatable}) {
      LaunchAttribute attribute{.id = id, .padding = 0, .value = {}};
      if (get(node, id, attribute.value.data()) != 0) continue;
      const std::size_t bytes =
          std::max<std::size_t>(driver_types::meaningful_bytes(id), std::size_t{4});
      const auto end = attribute.value.begin() + static_cast<std::ptrdiff_t>(bytes);
      if (std::all_of(attribute.value.begin(), end, [](std::uint8_t byte) { return byte == 0; })) {
        continue;
      }
      if (is_usual(attribute)) continue;
      add_attribute(launch, attribute);
    }
  }

  // The carveout is -1 where nobody chose one.
  static bool is_usual(const LaunchAttribute& attribute) {
    return attribute.id == driver_types::shared_memory_carveout &&
           std::all_of(attribute.value.begin(), attribute.value.begin() + 4,
                       [](std::uint8_t byte) { return byte == 0xff; });
  }

  RecordedWork fill_of_node(void* node) {
    static const auto get = real<int (*)(void*, FillNode*)>("cuGraphMemsetNodeGetParams");
    FillNode fill{};
    if (get(node, &fill) != 0) return unreadable();
    if (fill.height > 1 && fill.pitch != fill.width * fill.element_bytes) {
      m_walked.obstacles.emplace_back(Kind::unknown_call, "a graph's fill of rows with gaps");
    }
    return RecordedFill{.to = absolute(fill.to),
                        .value = fill.value,
                        .element_bytes = fill.element_bytes,
                        .elements = fill.width * std::max<std::size_t>(fill.height, 1)};
  }

  RecordedWork copy_of_node(void* node) {
    static const auto get = real<int (*)(void*, CopyNode*)>("cuGraphMemcpyNodeGetParams");
    CopyNode copy{};
    if (get(node, &copy) != 0) return unreadable();
    if (copy.height > 1 || copy.depth > 1 || copy.from.array != nullptr ||
        copy.to.array != nullptr) {
      m_walked.obstacles.emplace_back(Kind::unknown_call, "a graph's copy of rows or of arrays");
      return RecordedNothing{};
    }
    if (copy.to.type == driver_types::host) {
      m_walked.obstacles.emplace_back(Kind::host_reads, "a graph's copy to the host");
      return RecordedNothing{};
    }
    const RecordedPlace to = absolute(copy.to.device + copy.to.x_bytes);
    if (copy.from.type == driver_types::host) {
      const auto* memory = static_cast<const std::uint8_t*>(copy.from.host) + copy.from.x_bytes;
      m_walked.host_reads.push_back({m_walked.nodes.size() - 1, memory, copy.width_bytes});
      return RecordedUpload{.to = to, .content = {}};
    }
    return RecordedCopy{.to = to,
                        .from = absolute(copy.from.device + copy.from.x_bytes),
                        .bytes = copy.width_bytes};
  }

  RecordedWork unreadable() {
    m_walked.obstacles.emplace_back(Kind::unknown_call, "a graph node that cannot be read");
    return RecordedNothing{};
  }

  WalkedGraph m_walked;
};

}  // namespace

WalkedGraph walk_graph(void* graph) {
  return GraphWalk().walk(graph);
}

}  // namespace robust_kbench::recorder
