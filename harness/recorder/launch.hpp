#pragma once

#include <optional>

#include "device/driver_types.hpp"
#include "recording/recording.hpp"

namespace robust_kbench::recorder {

// A launch as the driver gets it: by pointers to parameters, or by one buffer (`extra`).
struct LaunchRequest {
  void* function = nullptr;
  RecordedDimensions grid{};
  RecordedDimensions block{};
  std::uint32_t shared_bytes = 0;
  void** parameters = nullptr;
  void** extra = nullptr;
};

// The launch with its parameters' bytes. Nothing, and an obstacle in the log, for code that the
// recorder has not seen.
std::optional<RecordedLaunch> launch_of(const LaunchRequest& request);

// Adds an attribute. One that no other process can set becomes an obstacle.
void add_attribute(RecordedLaunch& launch, const driver_types::LaunchAttribute& attribute);

}  // namespace robust_kbench::recorder
