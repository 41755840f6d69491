#include "core/device.hpp"

#include "core/enum_names.hpp"

namespace robust_kbench {
namespace {

constexpr EnumNames<Device, 2> names{"device", {{{Device::cpu, "cpu"}, {Device::cuda, "cuda"}}}};

}  // namespace

std::string_view to_string(Device device) {
  return names.name_of(device);
}

Device parse_device(std::string_view name) {
  return names.parse(name);
}

}  // namespace robust_kbench
