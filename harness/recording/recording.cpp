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

}  // namespace

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
