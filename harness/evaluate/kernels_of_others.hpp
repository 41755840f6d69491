#pragma once

#include "core/manifest.hpp"

namespace robust_kbench {

// Throws UserError, with the missing means, unless the sandbox of a device's workers is complete.
// Kernels of programs, agents and language models run only in a complete sandbox.
void require_sandbox_for_others(const Manifest& manifest, Device device);

}  // namespace robust_kbench
