// Reads bytes as a recording, which comes from the process that ran a kernel, and its images as
// the driver's containers of code.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "recording/decode.hpp"
#include "recording/encode.hpp"
#include "recording/image.hpp"
#include "recording/magic.hpp"

namespace robust_kbench {
namespace {

void read_recording(std::string_view bytes) {
  try {
    const Recording recording = decode_recording(bytes);
    if (decode_recording(encode_recording(recording)) != recording) std::abort();
  } catch (const RecordingError&) {
  }
}

}  // namespace
}  // namespace robust_kbench

// The bytes come as they are, behind the first bytes of a recording, and as an image.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string text(reinterpret_cast<const char*>(data), size);
  robust_kbench::read_recording(text);
  const std::string version{1, 0, 0, 0};
  robust_kbench::read_recording(std::string(robust_kbench::recording_magic) + version + text);
  (void)robust_kbench::without_ptx(std::span(data, size));
  return 0;
}
