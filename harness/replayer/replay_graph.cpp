#include "replayer/replay_graph.hpp"

#include <cstring>
#include <string>

#include "core/error.hpp"
#include "device/cuda_driver.hpp"
#include "recording/address_space.hpp"

namespace robust_kbench {
namespace {

void check_call(int error, const char* function) {
  cuda_driver().check(error, function);
}

std::vector<std::uint8_t> patched(const RecordedBytes& bytes, const ReplayPlaces& places,
                                  const ReplayCode& code) {
  std::vector<std::uint8_t> all = bytes.bytes;
  for (const RecordedRelocation& relocation : bytes.relocations) {
    const std::uint64_t address = places.address_of(relocation.place, code);
    std::memcpy(all.data() + relocation.at, &address, sizeof address);
  }
  return all;
}

driver_types::CopySide gpu_side(std::uint64_t address) {
  driver_types::CopySide side{};
  side.type = driver_types::device;
  side.device = address;
  return side;
}

driver_types::CopyNode line_of(std::size_t bytes) {
  driver_types::CopyNode copy{};
  copy.width_bytes = bytes;
  copy.height = copy.depth = 1;
  return copy;
}

void* current_context() {
  void* context = nullptr;
  check_call(cuda_driver().get_current_context(&context), "cuCtxGetCurrent");
  return context;
}

}  // namespace

std::uint64_t ReplayPlaces::address_of(const RecordedPlace& place, const ReplayCode& code) const {
  switch (place.kind) {
    case RecordedPlace::Kind::argument:
      return arguments.at(place.index) + place.offset;
    case RecordedPlace::Kind::allocation:
      return allocations.at(place.index) + place.offset;
    case RecordedPlace::Kind::scratch:
      return scratch_address + place.offset;
    case RecordedPlace::Kind::variable:
      return code.variable(place.index) + place.offset;
    case RecordedPlace::Kind::absolute:
      break;
  }
  throw HarnessError("replay: an address without a place");
}

void ReplayGraph::append(const ReplayPlan& plan, const ReplayPlaces& places,
                         const ReplayCode& code) {
  std::vector<void*> nodes;
  std::vector<bool> is_end(plan.nodes.size(), true);
  for (const RecordedNode& node : plan.nodes) {
    std::vector<void*> after = node.after.empty() ? m_ends : std::vector<void*>();
    std::vector<void*> early;
    for (const RecordedNode::Dependency& dependency : node.after) {
      is_end[dependency.node] = false;
      (dependency.is_programmatic != 0 ? early : after).push_back(nodes[dependency.node]);
    }
    nodes.push_back(add_node(node.work, after, places, code));
    for (void* before : early) {
      const driver_types::EdgeData data{.from_port = 1, .to_port = 0, .type = 1, .reserved = {}};
      check_call(graph_driver().add_edges(m_graph, &before, &nodes.back(), &data, 1),
                 "cuGraphAddDependencies");
    }
  }
  std::vector<void*> ends;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (is_end[i]) ends.push_back(nodes[i]);
  }
  if (!ends.empty()) m_ends = std::move(ends);
}

void* ReplayGraph::add_node(const RecordedWork& work, const std::vector<void*>& after,
                            const ReplayPlaces& places, const ReplayCode& code) {
  return std::visit(
      [&](const auto& what) {
        if constexpr (std::is_same_v<std::decay_t<decltype(what)>, RecordedNothing>) {
          return add(what, after);
        } else {
          return add(what, after, places, code);
        }
      },
      work);
}

void* ReplayGraph::add(const RecordedNothing&, const std::vector<void*>& after) {
  void* node = nullptr;
  check_call(graph_driver().add_nothing(&node, m_graph, after.data(), after.size()),
             "cuGraphAddEmptyNode");
  return node;
}

void* ReplayGraph::add(const RecordedLaunch& launch, const std::vector<void*>& after,
                       const ReplayPlaces& places, const ReplayCode& code) {
  const ReplayCode::Kernel& kernel = code.kernel(launch.function);
  std::vector<std::uint8_t> bytes = patched(launch.parameters, places, code);
  std::vector<void*> parameters;
  for (const ReplayCode::Parameter& parameter : kernel.parameters) {
    if (parameter.offset > bytes.size() || parameter.bytes > bytes.size() - parameter.offset) {
      throw HarnessError("replay: a launch has " + std::to_string(bytes.size()) +
                         " bytes of parameters, and the kernel takes more");
    }
    parameters.push_back(bytes.data() + parameter.offset);
  }
  const driver_types::KernelNode node_of_driver{.function = nullptr,
                                                .grid = launch.grid,
                                                .block = launch.block,
                                                .shared_bytes = launch.shared_bytes,
                                                .parameters = parameters.data(),
                                                .extra = nullptr,
                                                .kernel = kernel.handle,
                                                .context = nullptr};
  void* node = nullptr;
  check_call(graph_driver().add_kernel(&node, m_graph, after.data(), after.size(), &node_of_driver),
             "cuGraphAddKernelNode");
  for (const RecordedAttribute& attribute : launch.attributes) {
    driver_types::LaunchAttribute value{.id = attribute.id, .padding = 0, .value = {}};
    if (attribute.value.size() > driver_types::meaningful_bytes(attribute.id)) {
      throw HarnessError("replay: a launch has attribute " + std::to_string(attribute.id) +
                         ", which no replay sets");
    }
    std::copy(attribute.value.begin(), attribute.value.end(), value.value.begin());
    check_call(graph_driver().set_node_attribute(node, attribute.id, value.value.data()),
               "cuGraphKernelNodeSetAttribute");
  }
  return node;
}

void* ReplayGraph::add(const RecordedFill& fill, const std::vector<void*>& after,
                       const ReplayPlaces& places, const ReplayCode& code) {
  if (fill.elements == 0) return add(RecordedNothing{}, after);
  const driver_types::FillNode node_of_driver{.to = places.address_of(fill.to, code),
                                              .pitch = 0,
                                              .value = fill.value,
                                              .element_bytes = fill.element_bytes,
                                              .width = fill.elements,
                                              .height = 1};
  void* node = nullptr;
  check_call(graph_driver().add_fill(&node, m_graph, after.data(), after.size(), &node_of_driver,
                                     current_context()),
             "cuGraphAddMemsetNode");
  return node;
}

void* ReplayGraph::add(const RecordedCopy& copy, const std::vector<void*>& after,
                       const ReplayPlaces& places, const ReplayCode& code) {
  if (copy.bytes == 0) return add(RecordedNothing{}, after);
  driver_types::CopyNode node_of_driver = line_of(copy.bytes);
  node_of_driver.from = gpu_side(places.address_of(copy.from, code));
  node_of_driver.to = gpu_side(places.address_of(copy.to, code));
  void* node = nullptr;
  check_call(graph_driver().add_copy(&node, m_graph, after.data(), after.size(), &node_of_driver,
                                     current_context()),
             "cuGraphAddMemcpyNode");
  return node;
}

void* ReplayGraph::add(const RecordedUpload& upload, const std::vector<void*>& after,
                       const ReplayPlaces& places, const ReplayCode& code) {
  if (upload.content.bytes.empty()) return add(RecordedNothing{}, after);
  Bytes& content = m_uploads.emplace_back(patched(upload.content, places, code));
  driver_types::CopyNode node_of_driver = line_of(content.size());
  node_of_driver.from.type = driver_types::host;
  node_of_driver.from.host = content.data();
  node_of_driver.to = gpu_side(places.address_of(upload.to, code));
  void* node = nullptr;
  check_call(graph_driver().add_copy(&node, m_graph, after.data(), after.size(), &node_of_driver,
                                     current_context()),
             "cuGraphAddMemcpyNode");
  return node;
}

}  // namespace robust_kbench
