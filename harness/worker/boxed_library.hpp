#pragma once

#include <kernel/robust_kbench_abi.h>

namespace robust_kbench {

// The type of rkb_table::call.
using BoxedCall = decltype(rkb_table::call);

// Torch's operators, from lib/librkb_operators.so in the parent of this program's directory. The
// first call loads it, and torch with it. Throws HarnessError if it cannot be loaded.
BoxedCall boxed_call(const rkb_table& table);

}  // namespace robust_kbench
