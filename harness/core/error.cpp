#include "core/error.hpp"

#include <cstring>

namespace robust_kbench {

HarnessError system_failure(const std::string& what, int error) {
  return HarnessError(what + ": " + std::strerror(error));
}

void require_call(bool done, const std::string& step) {
  if (!done) throw system_failure(step);
}

}  // namespace robust_kbench
