#pragma once

#include <optional>

#include "tensor/scoped_torch_threads.hpp"
#include "tensor/workload.hpp"

namespace robust_kbench {

// Until the end of the scope, torch makes a workload's content and references on a suitable number
// of threads. Idle threads spin for milliseconds after each operator, on processors that the worker
// could use. So small workloads get one thread.
class ReferenceThreads {
 public:
  explicit ReferenceThreads(const Workload& workload);

 private:
  std::optional<ScopedTorchThreads> m_one_thread;
};

}  // namespace robust_kbench
