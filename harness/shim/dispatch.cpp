#include <robust_kbench/shim/dispatch.h>

namespace rkb {

void dispatch_failed(const char* name, ScalarType type) {
  TORCH_CHECK_NOT_IMPLEMENTED(false, '"', name, "\" not implemented for '", type, "'");
  __builtin_unreachable();
}

}  // namespace rkb
