#pragma once

#include <string_view>

#include "core/error.hpp"
#include "recording/recording.hpp"

namespace robust_kbench {

// Bytes that are no recording: "recording: byte 120: nodes is 70000; the limit is 65536".
class RecordingError : public HarnessError {
 public:
  using HarnessError::HarnessError;
};

// Reads a recording, which may come from a hostile process. Each count is bounded, and takes no
// more memory than some times the bytes that are there. All indices of the result are valid, and
// graphs have no cycles. Throws RecordingError for anything else.
Recording decode_recording(std::string_view bytes);

}  // namespace robust_kbench
