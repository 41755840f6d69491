#include "recording/recording.hpp"

#include <algorithm>

namespace robust_kbench {
namespace {

std::string kind_of(const RecordedAction& action) {
  static constexpr std::array<const char*, std::variant_size_v<RecordedAction>> names{
      "kernel launch", "fill",         "copy",       "upload",
      "graph launch",  "event record", "event wait", "function attribute",
      "allocation",    "release"};
  return names.at(action.index());
}

std::string words_of(const ReplayObstacle& obstacle) {
  switch (obstacle.kind) {
    case ReplayObstacle::Kind::host_reads:
      return "its host code reads results back from the GPU (" + obstacle.reason + ")";
    case ReplayObstacle::Kind::host_function:
      return "the GPU's work calls its host code (" + obstacle.reason + ")";
    case ReplayObstacle::Kind::foreign_memory:
      return "uses memory that the recorder does not know (" + obstacle.reason + ")";
    case ReplayObstacle::Kind::earlier_memory:
      return "uses a tensor of an earlier call (" + obstacle.reason + ")";
    case ReplayObstacle::Kind::unknown_call:
      return "calls " + obstacle.reason + ", which cannot be replayed";
    case ReplayObstacle::Kind::image:
      return "has code that cannot be loaded elsewhere (" + obstacle.reason + ")";
    case ReplayObstacle::Kind::not_steady:
      return "its calls are not alike: " + obstacle.reason;
  }
  return obstacle.reason;
}

// Only what does something counts: a replay leaves out work on no bytes.
enum class Beginning { nothing, fill, other };

Beginning beginning_of(const RecordedFill& fill) {
  return fill.elements == 0 ? Beginning::nothing : Beginning::fill;
}
Beginning beginning_of(const RecordedCopy& copy) {
  return copy.bytes == 0 ? Beginning::nothing : Beginning::other;
}
Beginning beginning_of(const RecordedUpload& upload) {
  return upload.content.bytes.empty() ? Beginning::nothing : Beginning::other;
}
Beginning beginning_of(const RecordedLaunch&) {
  return Beginning::other;
}
Beginning beginning_of(const RecordedGraphLaunch& graph) {
  if (graph.nodes.empty()) return Beginning::nothing;
  const bool fills = std::ranges::all_of(graph.nodes, [](const RecordedNode& node) {
    const auto* fill = std::get_if<RecordedFill>(&node.work);
    return !node.after.empty() || (fill != nullptr && fill->elements > 0);
  });
  return fills ? Beginning::fill : Beginning::other;
}
template <typename Action>
Beginning beginning_of(const Action&) {
  return Beginning::nothing;
}

// Whether work of other streams is before later work of a stream, as the legacy stream has it.
bool waits_for(RecordedStream stream, RecordedStream other) {
  return (stream == RecordedStream::legacy && other == RecordedStream::blocking) ||
         (stream == RecordedStream::blocking && other == RecordedStream::legacy);
}

}  // namespace

bool RecordedSection::begins_with_fill() const {
  std::vector<bool> is_after_work(streams.size());
  std::vector<bool> event_is_after_work(events);
  bool any_fill = false;
  for (const RecordedOperation& operation : operations) {
    const std::uint32_t stream = operation.stream;
    for (std::size_t other = 0; other < streams.size(); ++other) {
      if (is_after_work[other] && waits_for(streams.at(stream), streams[other])) {
        is_after_work[stream] = true;
      }
    }
    if (const auto* record = std::get_if<RecordedEventRecord>(&operation.action)) {
      event_is_after_work.at(record->event) = is_after_work[stream];
    }
    if (const auto* wait = std::get_if<RecordedEventWait>(&operation.action)) {
      is_after_work[stream] = is_after_work[stream] || event_is_after_work.at(wait->event);
    }
    const Beginning beginning =
        std::visit([](const auto& action) { return beginning_of(action); }, operation.action);
    if (beginning == Beginning::nothing || is_after_work[stream]) continue;
    if (beginning == Beginning::other) return false;
    any_fill = is_after_work[stream] = true;
  }
  return any_fill;
}

std::string text_of(const ReplayObstacle& obstacle) {
  return words_of(obstacle) + (obstacle.section == 0
                                   ? " (at its load)"
                                   : " (call " + std::to_string(obstacle.section) + ")");
}

std::string first_difference(const RecordedSection& one, const RecordedSection& other) {
  if (one == other) return "";
  const auto [left, right] = std::mismatch(one.operations.begin(), one.operations.end(),
                                           other.operations.begin(), other.operations.end());
  if (left == one.operations.end() && right == other.operations.end()) {
    return "memory, streams or results";
  }
  const std::string place = "operation " + std::to_string(left - one.operations.begin());
  if (left == one.operations.end()) return place + " (" + kind_of(right->action) + " or nothing)";
  if (right == other.operations.end()) return place + " (" + kind_of(left->action) + " or nothing)";
  if (left->action.index() != right->action.index()) {
    return place + " (" + kind_of(left->action) + " or " + kind_of(right->action) + ")";
  }
  return place + " (" + kind_of(left->action) + ")";
}

}  // namespace robust_kbench
