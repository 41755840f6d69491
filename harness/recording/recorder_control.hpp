#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "recording/recording.hpp"
#include "recording/recording_file.hpp"

namespace robust_kbench {

// Memory of the GPU in this process.
struct RecordedMemory {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
};

// What the worker tells the recorder's library, which is loaded in its process. Programs find it by
// the exported function named `recorder_control_symbol`, which returns a pointer to one.
class RecorderControl {
 public:
  virtual ~RecorderControl() = default;
  // The mappings in which the tensors of all calls lie.
  virtual void know_arena(const std::vector<RecordedMemory>& mappings) = 0;
  // Begins the kernel's load (0), or call `section`. Everything that any thread of this process
  // does on the GPU until end() belongs to it.
  virtual void begin(std::uint32_t section) = 0;
  // Ends it. The call's tensors and the memory that the harness gave during the call are what
  // addresses can refer to.
  virtual RecordedSection end(const std::vector<RecordedMemory>& arguments,
                              const std::vector<RecordedMemory>& allocations) = 0;
  // All that is not of one section. `calls` are the three calls as end() has returned them. Later
  // calls may use memory that the harness gave in the first one, such as that of a tensor which the
  // kernel keeps. It becomes scratch, in the first call as well. Bytes of parameters that no code
  // reads become 0.
  virtual Recording finish(std::array<RecordedSection, recorded_calls>& calls) = 0;
};

inline constexpr const char* recorder_control_symbol = "rkb_recorder_control";
using RecorderControlFunction = RecorderControl* (*)();

}  // namespace robust_kbench
