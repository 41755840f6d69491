#pragma once

#include <optional>
#include <string>

namespace robust_kbench {

// The state of GPU 0 that decides its present speed.
struct GpuState {
  int sm_mhz = 0;
  // The reason why heat or a failing power supply lowers the clocks, such as "thermal slowdown".
  // Empty where neither does. The usual power limit does not count.
  std::string throttled;
};

// The state by NVIDIA's management library NVML. Nothing where NVML is missing or refuses.
std::optional<GpuState> gpu_state();

// The version of NVIDIA's driver by NVML, "580.95.05"; empty where NVML is missing.
std::string gpu_driver_version();

}  // namespace robust_kbench
