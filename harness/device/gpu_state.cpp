#include "device/gpu_state.hpp"

#include <array>
#include <cstdint>
#include <dlfcn.h>
#include <utility>

#include "device/cuda_driver.hpp"

namespace robust_kbench {
namespace {

// Numbers of nvml.h.
constexpr unsigned sm_clock = 1;  // NVML_CLOCK_SM
constexpr std::array<std::pair<std::uint64_t, const char*>, 4> throttle_reasons{{
    {0x8, "hardware slowdown"},
    {0x20, "thermal slowdown by the driver"},
    {0x40, "thermal slowdown by the hardware"},
    {0x80, "power brake"},
}};

class Nvml {
 public:
  Nvml() : m_library(dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL)) {
    if (m_library == nullptr) return;
    const bool found = find(m_init, "nvmlInit_v2") &&
                       find(m_get_device, "nvmlDeviceGetHandleByPciBusId_v2") &&
                       find(m_get_clock, "nvmlDeviceGetClockInfo") &&
                       find(m_get_reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
    if (!found || m_init() != 0) return;
    std::array<char, 96> version{};
    if (find(m_get_version, "nvmlSystemGetDriverVersion") &&
        m_get_version(version.data(), static_cast<unsigned>(version.size())) == 0) {
      m_driver_version = version.data();
    }
    // The GPU is found by its bus, since NVML numbers all GPUs of the machine, but CUDA only
    // visible ones.
    std::array<char, 32> bus{};
    const CudaDriver& driver = cuda_driver();
    if (driver.get_bus_id(bus.data(), static_cast<int>(bus.size()), 0) != 0) return;
    if (m_get_device(bus.data(), &m_device) != 0) m_device = nullptr;
  }

  [[nodiscard]] std::optional<GpuState> state() const {
    if (m_device == nullptr) return std::nullopt;
    unsigned sm_mhz = 0;
    unsigned long long reasons = 0;
    if (m_get_clock(m_device, sm_clock, &sm_mhz) != 0 || m_get_reasons(m_device, &reasons) != 0) {
      return std::nullopt;
    }
    GpuState state{.sm_mhz = static_cast<int>(sm_mhz), .throttled = {}};
    for (const auto& [bit, name] : throttle_reasons) {
      if ((reasons & bit) == 0) continue;
      state.throttled += (state.throttled.empty() ? "" : ", ") + std::string(name);
    }
    return state;
  }

  [[nodiscard]] const std::string& driver_version() const { return m_driver_version; }

 private:
  template <typename Function>
  bool find(Function& function, const char* name) {
    function = reinterpret_cast<Function>(dlsym(m_library, name));
    return function != nullptr;
  }

  void* m_library;
  void* m_device = nullptr;
  std::string m_driver_version;
  int (*m_init)() = nullptr;
  int (*m_get_version)(char*, unsigned) = nullptr;
  int (*m_get_device)(const char*, void**) = nullptr;
  int (*m_get_clock)(void*, unsigned, unsigned*) = nullptr;
  int (*m_get_reasons)(void*, unsigned long long*) = nullptr;
};

const Nvml& nvml() {
  static const Nvml loaded;
  return loaded;
}

}  // namespace

std::optional<GpuState> gpu_state() {
  return nvml().state();
}

std::string gpu_driver_version() {
  return nvml().driver_version();
}

}  // namespace robust_kbench
