#include "evolve/evolution_plan.hpp"

#include <chrono>

namespace robust_kbench {

double steady_seconds() {
  const auto now = std::chrono::steady_clock::now().time_since_epoch();
  return std::chrono::duration<double>(now).count();
}

}  // namespace robust_kbench
