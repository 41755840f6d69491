#include "cli/interrupted_run.hpp"

#include <cstdio>

namespace robust_kbench {

int end_interrupted(const InterruptStop& interrupt, const std::string& going_on) {
  std::fprintf(stderr, "interrupted; go on with:\n  %s\n", going_on.c_str());
  return 128 + interrupt.signal();
}

}  // namespace robust_kbench
