#pragma once

#include <map>
#include <string>

#include "core/device.hpp"

namespace robust_kbench {

// The facts of this machine's CPU, or of GPU 0, that a restriction of tunables may name
// (tune/tunables.hpp). Those that the system does not tell are left out. Throws HarnessError for
// `cuda` where there is no GPU.
std::map<std::string, long long> device_facts(Device device);

}  // namespace robust_kbench
