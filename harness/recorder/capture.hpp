#pragma once

#include "recorder/log.hpp"

namespace robust_kbench::recorder {

// True if work on the stream becomes a graph instead of running. Such work is no operation.
bool is_captured(StreamName stream);

}  // namespace robust_kbench::recorder
