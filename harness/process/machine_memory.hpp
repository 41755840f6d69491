#pragma once

#include <cstdint>

namespace robust_kbench {

// The size of this machine's memory in bytes. Throws HarnessError.
std::uint64_t machine_memory();

}  // namespace robust_kbench
