#include <map>
#include <mutex>

#include "recorder/capture.hpp"
#include "recorder/graph_walk.hpp"
#include "recorder/hooks.hpp"
#include "recorder/log.hpp"
#include "recorder/real_driver.hpp"

// Graphs. Each is read when it is instantiated or updates another, since it may change later.
namespace robust_kbench::recorder {
namespace {

std::mutex graph_mutex;
std::map<void*, WalkedGraph>& executables() {
  static std::map<void*, WalkedGraph> graphs;
  return graphs;
}

void keep_graph(void* executable, void* graph) {
  WalkedGraph walked = walk_graph(graph);
  const std::scoped_lock lock(graph_mutex);
  executables()[executable] = std::move(walked);
}

void add_graph_launch(StreamName stream, void* executable) {
  if (!log().is_on() || is_captured(stream)) return;
  const std::scoped_lock lock(graph_mutex);
  const auto found = executables().find(executable);
  if (found == executables().end()) {
    log().refuse(ReplayObstacle::Kind::unknown_call, "cuGraphLaunch of an unknown graph");
    return;
  }
  const WalkedGraph& walked = found->second;
  for (const auto& [kind, reason] : walked.obstacles) log().refuse(kind, reason);
  RecordedGraphLaunch launch{.nodes = walked.nodes};
  for (const WalkedGraph::HostRead& read : walked.host_reads) {
    const auto* begin = static_cast<const std::uint8_t*>(read.memory);
    std::get<RecordedUpload>(launch.nodes[read.node].work).content.bytes = {begin,
                                                                            begin + read.bytes};
  }
  log().add(stream, std::move(launch));
}

int instantiate_with_flags(void** executable, void* graph, unsigned long long flags) {
  static const auto next = real<decltype(&instantiate_with_flags)>("cuGraphInstantiateWithFlags");
  const int result = next(executable, graph, flags);
  if (result == 0) keep_graph(*executable, graph);
  return result;
}

template <bool per_thread>
int instantiate_with_parameters(void** executable, void* graph, void* parameters) {
  static const auto next = real<decltype(&instantiate_with_parameters<per_thread>)>(
      per_thread ? "cuGraphInstantiateWithParams_ptsz" : "cuGraphInstantiateWithParams");
  const int result = next(executable, graph, parameters);
  if (result == 0) keep_graph(*executable, graph);
  return result;
}

int update_executable(void* executable, void* graph, void* result_of_update) {
  static const auto next = real<decltype(&update_executable)>("cuGraphExecUpdate_v2");
  const int result = next(executable, graph, result_of_update);
  if (result == 0) keep_graph(executable, graph);
  return result;
}

template <bool per_thread>
int launch_graph(void* executable, void* stream) {
  static const auto next = real<decltype(&launch_graph<per_thread>)>(
      per_thread ? "cuGraphLaunch_ptsz" : "cuGraphLaunch");
  const int result = next(executable, stream);
  if (result == 0) add_graph_launch({stream, per_thread}, executable);
  return result;
}

}  // namespace

std::vector<Hook> graph_hooks() {
  return {
      hook("cuGraphInstantiateWithFlags", &instantiate_with_flags),
      hook("cuGraphInstantiateWithParams", &instantiate_with_parameters<false>),
      hook("cuGraphInstantiateWithParams_ptsz", &instantiate_with_parameters<true>),
      hook("cuGraphExecUpdate_v2", &update_executable, 12000),
      hook("cuGraphLaunch", &launch_graph<false>),
      hook("cuGraphLaunch_ptsz", &launch_graph<true>),
  };
}

}  // namespace robust_kbench::recorder
