#pragma once

#include <string>
#include <vector>

#include "core/device.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// Facts about the machine for a prompt. A CPU has its model, vector instructions, caches and
// compiler. A GPU has its name, limits and bandwidth, and the versions of CUDA and of cuDNN. For
// the latter this process loads torch's libraries of CUDA. Facts differ between machines, so a run
// records them. Where there is no GPU they are target_facts() and the versions.
std::vector<std::string> machine_facts(Device device, const Toolchain& toolchain);

// Facts about the GPU for which CUDA sources are compiled where there is none, and that nothing
// could be measured.
std::vector<std::string> target_facts();

}  // namespace robust_kbench
