#include "check/detect/left_processes.hpp"

#include <string>

namespace robust_kbench {

std::optional<Judgement> left_processes(WorkerProcess& worker) {
  const int count = worker.child_count();
  if (count == 0) return std::nullopt;
  return cheat(CheatClass::left_process, "the kernel left " + std::to_string(count) +
                                             (count == 1 ? " process" : " processes") +
                                             " running when it returned");
}

}  // namespace robust_kbench
