#pragma once

#include <string>

#include "evaluate/evaluator.hpp"

namespace robust_kbench {

// The replay that a request asks for by the name of its judge ("replay", "in_process", or empty)
// and by whether a replay is required. Throws UserError where the two contradict each other.
Replay asked_replay(const std::string& judge, bool require_replay);

// The decision on a Replay that was asked for.
struct ReplayChoice {
  Replay mode = Replay::never;  // never if_possible
  std::string missing = {};     // why if_possible became never on a GPU; else empty
};

// Decides for a kernel that is timed on a GPU, or is not. `missing` is what missing_for_replay()
// returns.
ReplayChoice chosen_replay(Replay asked, bool timed_on_gpu, const std::string& missing);

}  // namespace robust_kbench
