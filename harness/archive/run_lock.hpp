#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>

#include "core/descriptor.hpp"

namespace robust_kbench {

// The right to write to one run. The operating system releases it when the process ends in any way.
class RunLock {
 public:
  // Throws UserError with the holder's id where another object or process has it.
  RunLock(const std::filesystem::path& path, const std::string& run);

  // The process that holds the lock; nullopt if it is free. The lock is not taken, so other
  // processes are not disturbed.
  static std::optional<pid_t> holder(const std::filesystem::path& path);

 private:
  Descriptor m_file;
};

}  // namespace robust_kbench
