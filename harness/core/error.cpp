#include "core/error.hpp"

#include <cstring>

namespace robust_kbench {

HarnessError system_failure(const std::string& what, int error) {
  return HarnessError(what + ": " + std::strerror(error));
}

}  // namespace robust_kbench
