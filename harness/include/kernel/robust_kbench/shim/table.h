#pragma once

#include <robust_kbench/shim/check.h>
#include <robust_kbench/table.h>

namespace rkb {

// Throws the error of the table's last failed call.
[[noreturn]] RKB_COLD void throw_table_error(std::int32_t status = RKB_EXCEPTION);

inline void check_status(std::int32_t status) {
  if (C10_UNLIKELY(status != RKB_OK)) throw_table_error(status);
}

}  // namespace rkb
