#pragma once

#include "core/manifest.hpp"

namespace robust_kbench {

// Kernels of programs, agents and language models run only where the sandbox of a device's workers
// keeps all of its promises. Throws UserError where it does not, with what it lacks.
void require_sandbox_for_others(const Manifest& manifest, Device device);

}  // namespace robust_kbench
