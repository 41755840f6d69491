#pragma once

#include <cstddef>
#include <string>

#include "core/descriptor.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

// A worker's private directory, which is its working directory, home and TMPDIR. It holds the
// worker's stdout and stderr and is removed at the end. Throws HarnessError when it cannot be made.
class WorkerFiles {
 public:
  WorkerFiles();

  [[nodiscard]] const std::string& directory() const { return m_directory.path().native(); }
  [[nodiscard]] int output() const { return m_output.get(); }
  [[nodiscard]] int errors() const { return m_errors.get(); }

  // The last `bytes` of stderr, escaped. Read through our own descriptor: the worker may have
  // replaced the file by a link to something that it must not see.
  [[nodiscard]] std::string errors_tail(std::size_t bytes) const;

 private:
  TemporaryDirectory m_directory{"worker"};
  Descriptor m_output;
  Descriptor m_errors;
};

}  // namespace robust_kbench
