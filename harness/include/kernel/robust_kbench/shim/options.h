#pragma once

#include <robust_kbench/shim/device.h>
#include <robust_kbench/shim/scalar_type.h>

namespace rkb {

enum class Layout : std::int8_t { Strided };
constexpr Layout kStrided = Layout::Strided;

enum class MemoryFormat : std::int8_t { Contiguous, Preserve, ChannelsLast, ChannelsLast3d };

// The properties of a new tensor. Layout, autograd and pinned memory are accepted and ignored,
// since there is only strided memory without gradients.
class TensorOptions {
 public:
  TensorOptions() = default;
  TensorOptions(ScalarType dtype) : m_dtype(dtype), m_has_dtype(true) {}
  TensorOptions(Device device) : m_device(device), m_has_device(true) {}
  TensorOptions(DeviceType type) : TensorOptions(Device(type)) {}
  TensorOptions(Layout) {}

  [[nodiscard]] TensorOptions dtype(ScalarType dtype) const {
    TensorOptions options = *this;
    options.m_dtype = dtype;
    options.m_has_dtype = true;
    return options;
  }
  [[nodiscard]] TensorOptions device(Device device) const {
    TensorOptions options = *this;
    options.m_device = device;
    options.m_has_device = true;
    return options;
  }
  [[nodiscard]] TensorOptions device(DeviceType type, DeviceIndex index = -1) const {
    return device(Device(type, index));
  }
  [[nodiscard]] TensorOptions device_index(DeviceIndex index) const {
    return device(Device(DeviceType::CUDA, index));
  }
  [[nodiscard]] TensorOptions layout(Layout) const { return *this; }
  [[nodiscard]] TensorOptions requires_grad(bool = true) const { return *this; }
  [[nodiscard]] TensorOptions pinned_memory(bool = true) const { return *this; }
  [[nodiscard]] TensorOptions memory_format(MemoryFormat) const { return *this; }

  ScalarType dtype() const { return m_dtype; }
  Device device() const { return m_device; }
  Layout layout() const { return kStrided; }
  bool requires_grad() const { return false; }
  bool has_dtype() const { return m_has_dtype; }
  bool has_device() const { return m_has_device; }

  // The properties that are set here, completed by those of `fallback`.
  TensorOptions over(TensorOptions fallback) const {
    if (m_has_dtype) fallback = fallback.dtype(m_dtype);
    return m_has_device ? fallback.device(m_device) : fallback;
  }

 private:
  ScalarType m_dtype = kFloat;
  bool m_has_dtype = false;
  Device m_device{DeviceType::CPU};
  bool m_has_device = false;
};

inline TensorOptions dtype(ScalarType type) {
  return type;
}
inline TensorOptions device(Device device) {
  return device;
}
inline TensorOptions device(DeviceType type) {
  return type;
}
inline TensorOptions layout(Layout layout) {
  return layout;
}
inline TensorOptions requires_grad(bool = true) {
  return {};
}

}  // namespace rkb
