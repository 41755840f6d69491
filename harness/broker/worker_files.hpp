#pragma once

#include <cstddef>
#include <string>

#include "core/descriptor.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

// A worker's private directory, which is its working directory, home and TMPDIR. It holds what the
// worker writes to stdout and stderr, in the order in which it was written, and is removed at the
// end. Throws HarnessError when it cannot be made.
class WorkerFiles {
 public:
  WorkerFiles();

  [[nodiscard]] const std::string& directory() const { return m_directory.path().native(); }
  // The descriptor that is the worker's stdout and stderr.
  [[nodiscard]] int output() const { return m_output.get(); }

  // The end of what was written: about so many bytes, from the beginning of a line, escaped. Read
  // through our own descriptor: the worker may have replaced the file by a link to something that
  // it must not see.
  [[nodiscard]] std::string output_tail(std::size_t bytes) const;
  // Forgets what was written so far, so that the file stays small.
  void forget_output() const;

 private:
  TemporaryDirectory m_directory{"worker"};
  Descriptor m_output;
};

}  // namespace robust_kbench
