#pragma once

#include <optional>
#include <string_view>

#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// What a call of the driver during a section means for a replay, by the call's name without the
// suffix of its variant. Nothing for a call that is recorded, or that changes nothing on the GPU.
std::optional<ReplayObstacle::Kind> obstacle_of(std::string_view call);

}  // namespace robust_kbench::recorder
