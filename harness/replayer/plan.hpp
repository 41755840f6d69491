#pragma once

#include <cstdint>
#include <vector>

#include "recording/recording.hpp"

namespace robust_kbench {

// A section's work as a graph. Each node waits for earlier ones, so the order of streams, events
// and the legacy default stream is in its edges alone.
struct ReplayPlan {
  std::vector<RecordedNode> nodes;
  std::vector<RecordedFunctionAttribute> function_attributes;  // set before the work, in order
};

// All streams begin with the section. Work on the legacy default stream waits for all work that was
// given to blocking streams before it, and they wait for it. A launch that may begin before the
// one before it in its stream has ended waits for it by a programmatic edge.
ReplayPlan plan_of(const RecordedSection& section);

// Whether fills are all of a plan's work that waits for no other work. A replay leaves out work on
// no bytes.
bool begins_with_fill(const ReplayPlan& plan);

}  // namespace robust_kbench
