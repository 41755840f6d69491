#pragma once

#include <robust_kbench_abi.h>

#include <robust_kbench/facade/check.h>

namespace rkb {

// The worker's functions, set before the module's body runs. Hidden, so that each kernel of a
// process has its own.
__attribute__((visibility("hidden"))) inline const rkb_table* table = nullptr;

// What the last refused call of the table said.
template <typename Exception = Error>
[[noreturn]] RKB_COLD void throw_table_error() {
  const char* message = table->last_error();
  throw Exception(message == nullptr ? "unknown error" : message);
}

inline void check_status(std::int32_t status) {
  if (C10_LIKELY(status == RKB_OK)) return;
  if (status == RKB_OUT_OF_MEMORY) throw_table_error<OutOfMemoryError>();
  throw_table_error();
}

}  // namespace rkb
