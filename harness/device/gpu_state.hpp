#pragma once

#include <optional>
#include <string>

namespace robust_kbench {

// The state of GPU 0 that decides its present speed.
struct GpuState {
  int sm_mhz = 0;
  // Why heat or a failing power supply holds the clocks down, such as "thermal slowdown". Empty
  // where neither does. Work at the GPU's power limit is no such reason.
  std::string throttled;
};

// Asks the driver's management library (NVML). None where it is missing or refuses.
std::optional<GpuState> gpu_state();

// The version of NVIDIA's driver by NVML, "580.95.05"; empty where it is missing.
std::string gpu_driver_version();

}  // namespace robust_kbench
