#pragma once

#include <robust_kbench_abi.h>

#include <robust_kbench/facade/check.h>

namespace rkb {

// The worker's functions, set before the module's body runs. Hidden, so that each kernel of a
// process has its own.
__attribute__((visibility("hidden"))) extern const rkb_table* table;

// What the last refused call of the table said.
[[noreturn]] RKB_COLD void throw_table_error(std::int32_t status = RKB_EXCEPTION);

inline void check_status(std::int32_t status) {
  if (C10_UNLIKELY(status != RKB_OK)) throw_table_error(status);
}

}  // namespace rkb
