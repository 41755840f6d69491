#pragma once

#include "evaluate/submission_state.hpp"

namespace robust_kbench {

// Replays a timed kernel on each config that was timed (replay/replay_judge.hpp). The record's
// estimates get the time as the estimator "replay", and its `judged` what became of it. A finding
// becomes the kernel's judgement.
void replay_and_judge(SubmissionState& state);

}  // namespace robust_kbench
