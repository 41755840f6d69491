#pragma once

#include <cstdint>

namespace robust_kbench {

// A number of threads other than `usual`: 1, 3, or more than the machine has processors. The nonce
// chooses it.
int other_thread_count(int usual, std::uint64_t nonce);

}  // namespace robust_kbench
