#pragma once

#include "recording/recording.hpp"

namespace robust_kbench {

// Checks what one field alone does not show. Each index names something. Relocations lie within
// their bytes in ascending order. A node waits for earlier ones only. Throws RecordingError, which
// names section, operation, value and limit.
void validate_recording(const Recording& recording);

}  // namespace robust_kbench
