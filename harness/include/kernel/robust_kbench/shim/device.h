#pragma once

#include <cstdint>

#include <robust_kbench/shim/check.h>

namespace rkb {

// The values equal those of c10::DeviceType and rkb_device_type.
enum class DeviceType : std::int8_t { CPU = 0, CUDA = 1 };

constexpr DeviceType kCPU = DeviceType::CPU;
constexpr DeviceType kCUDA = DeviceType::CUDA;

using DeviceIndex = std::int8_t;

class Device {
 public:
  using Type = DeviceType;

  constexpr Device(DeviceType type, DeviceIndex index = -1) : m_type(type), m_index(index) {}
  // Parses "cpu", "cuda" or "cuda:1".
  Device(const char* name);
#ifndef RKB_WITHOUT_STRING
  Device(const std::string& name) : Device(name.c_str()) {}
  std::string str() const;
#endif

  constexpr DeviceType type() const {
    return m_type;
  }
  constexpr DeviceIndex index() const {
    return m_index;
  }
  constexpr bool has_index() const {
    return m_index >= 0;
  }
  constexpr bool is_cuda() const {
    return m_type == DeviceType::CUDA;
  }
  constexpr bool is_cpu() const {
    return m_type == DeviceType::CPU;
  }

  friend constexpr bool operator==(Device a, Device b) {
    return a.m_type == b.m_type && a.m_index == b.m_index;
  }
  friend constexpr bool operator!=(Device a, Device b) {
    return !(a == b);
  }

 private:
  DeviceType m_type;
  DeviceIndex m_index = -1;
};

}  // namespace rkb
