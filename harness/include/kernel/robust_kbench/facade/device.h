#pragma once

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>

#include <robust_kbench/facade/check.h>

namespace rkb {

// Same values as c10::DeviceType and rkb_device_type.
enum class DeviceType : std::int8_t { CPU = 0, CUDA = 1 };

constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;

using DeviceIndex = std::int8_t;

class Device {
 public:
  using Type = DeviceType;

  constexpr Device(DeviceType type, DeviceIndex index = -1) : m_type(type), m_index(index) {}
  // "cpu", "cuda", "cuda:1".
  Device(const char* name) : m_type(parse(name)) {
    const char* colon = std::strchr(name, ':');
    if (colon != nullptr) m_index = static_cast<DeviceIndex>(std::atoi(colon + 1));
  }
  Device(const std::string& name) : Device(name.c_str()) {}

  constexpr DeviceType type() const { return m_type; }
  constexpr DeviceIndex index() const { return m_index; }
  constexpr bool has_index() const { return m_index >= 0; }
  constexpr bool is_cuda() const { return m_type == DeviceType::CUDA; }
  constexpr bool is_cpu() const { return m_type == DeviceType::CPU; }
  std::string str() const {
    std::string name = is_cuda() ? "cuda" : "cpu";
    return has_index() ? name + ":" + std::to_string(m_index) : name;
  }

  friend constexpr bool operator==(Device a, Device b) {
    return a.m_type == b.m_type && a.m_index == b.m_index;
  }
  friend constexpr bool operator!=(Device a, Device b) { return !(a == b); }

 private:
  static DeviceType parse(const char* name) {
    if (std::strncmp(name, "cuda", 4) == 0) return DeviceType::CUDA;
    TORCH_CHECK(std::strncmp(name, "cpu", 3) == 0, "device '", name, "' is neither cpu nor cuda");
    return DeviceType::CPU;
  }

  DeviceType m_type;
  DeviceIndex m_index = -1;
};

inline void append_to(std::string& text, DeviceType type) {
  text += type == DeviceType::CUDA ? "cuda" : "cpu";
}
inline void append_to(std::string& text, Device device) {
  text += device.str();
}

}  // namespace rkb
