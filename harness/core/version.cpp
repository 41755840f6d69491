#include "core/version.hpp"

namespace robust_kbench {

std::string rkb_version() {
  return ROBUST_KBENCH_VERSION;
}

}  // namespace robust_kbench
