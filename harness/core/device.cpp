#include "core/device.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<Device, 2> device_names{"device",
                                            {{{Device::cpu, "cpu"}, {Device::cuda, "cuda"}}}};

}  // namespace

std::string_view to_string(Device device) {
  return device_names.name_of(device);
}

Device parse_device(std::string_view name) {
  return device_names.parse(name);
}

}  // namespace robust_kbench
