#pragma once

#include <optional>
#include <string>

namespace robust_kbench {

// What of GPU 0 decides how fast it is just now.
struct GpuState {
  int sm_mhz = 0;
  // Why the clocks are held down by heat or by a failing power supply: "thermal slowdown". Empty
  // where they are not. Work that draws all the power which the GPU is allowed is no such reason.
  std::string throttled;
};

// Asks the driver's management library (NVML). None where it is missing or refuses.
std::optional<GpuState> gpu_state();

}  // namespace robust_kbench
