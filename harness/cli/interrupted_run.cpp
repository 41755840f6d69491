#include "cli/interrupted_run.hpp"

#include <cstdio>

#include "core/own_command.hpp"

namespace robust_kbench {

int end_interrupted(const InterruptStop& interrupt, const std::vector<std::string>& done) {
  std::fprintf(stderr, "interrupted; go on with:\n  %s\n", own_command_line(done).c_str());
  return 128 + interrupt.signal();
}

}  // namespace robust_kbench
