#pragma once

#include <chrono>
#include <optional>
#include <string>

#include "broker/worker_process.hpp"
#include "process/child_process.hpp"

namespace robust_kbench {

// Looks at what a worker takes of the machine, where no limit of the system tells the broker.
class WorkerUse {
 public:
  // `directory` is the worker's temporary directory.
  WorkerUse(ChildProcess& process, std::string directory, const Limits& limits);

  // Names an exceeded limit: "wrote 300 MiB or more to its temporary directory; the limit is 256
  // MiB". It looks at most every quarter of a second, and returns nothing in between.
  std::optional<std::string> excess();

 private:
  [[nodiscard]] std::optional<std::string> excess_of_files() const;

  ChildProcess& m_process;
  std::string m_directory;
  const Limits& m_limits;
  std::chrono::steady_clock::time_point m_next;
};

}  // namespace robust_kbench
