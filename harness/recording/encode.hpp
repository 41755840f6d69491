#pragma once

#include <string>

#include "recording/recording.hpp"

namespace robust_kbench {

// The bytes of a recording (docs/recording.md). Throws HarnessError for one that decode_recording()
// would refuse for its size.
std::string encode_recording(const Recording& recording);

}  // namespace robust_kbench
