#pragma once

#include <cstddef>
#include <string>

#include "core/descriptor.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

// A worker's private directory, which is its working directory, home and TMPDIR. A file in it gets
// the worker's stdout and stderr, in the order of writing. It is removed at the end. Throws
// HarnessError if it cannot be made.
class WorkerFiles {
 public:
  WorkerFiles();

  [[nodiscard]] const std::string& directory() const { return m_directory.path().native(); }
  // The descriptor for the worker's stdout and stderr.
  [[nodiscard]] int output() const { return m_output.get(); }

  // The end of the output, escaped: about `bytes`, from the beginning of a line. It is read through
  // our own descriptor, since the worker may have replaced the file by a link to a forbidden one.
  [[nodiscard]] std::string output_tail(std::size_t bytes) const;
  // Forgets all output so far, so that the file stays small.
  void forget_output() const;

 private:
  TemporaryDirectory m_directory{"worker"};
  Descriptor m_output;
};

}  // namespace robust_kbench
