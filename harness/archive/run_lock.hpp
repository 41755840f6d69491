#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

#include "core/descriptor.hpp"

namespace robust_kbench {

// The right to write to one run. The operating system takes it back when the process ends, however
// it ends.
class RunLock {
 public:
  // Throws UserError with the holder's id where another object or process has it.
  RunLock(const std::filesystem::path& path, const std::string& run);

  // The process that holds the lock; none where nobody does. Takes nothing, so it disturbs nobody.
  static std::optional<pid_t> holder(const std::filesystem::path& path);

 private:
  Descriptor m_file;
};

}  // namespace robust_kbench
