#pragma once

#include <robust_kbench_abi.h>

namespace rkb {

// The worker's functions, set before the module's body runs. The symbol is hidden, so that each
// kernel in a process has its own.
__attribute__((visibility("hidden"))) extern const rkb_table* table;

}  // namespace rkb
