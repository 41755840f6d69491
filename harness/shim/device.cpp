#include <cstdlib>
#include <cstring>
#include <string>

#include <robust_kbench/shim/device.h>

namespace rkb {
namespace {

DeviceType parse_type(const char* name) {
  if (std::strncmp(name, "cuda", 4) == 0) return DeviceType::CUDA;
  TORCH_CHECK(std::strncmp(name, "cpu", 3) == 0, "device '", name, "' is neither cpu nor cuda");
  return DeviceType::CPU;
}

}  // namespace

Device::Device(const char* name) : m_type(parse_type(name)) {
  const char* colon = std::strchr(name, ':');
  if (colon != nullptr) m_index = static_cast<DeviceIndex>(std::atoi(colon + 1));
}

std::string Device::str() const {
  std::string name = is_cuda() ? "cuda" : "cpu";
  return has_index() ? name + ":" + std::to_string(m_index) : name;
}

}  // namespace rkb
