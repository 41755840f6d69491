#pragma once

#include <filesystem>
#include <string>

#include "core/descriptor.hpp"

namespace robust_kbench {

// Removes the directories of processes that were killed before they could do so. The first
// TemporaryDirectory of a process calls it.
void remove_abandoned_directories();

// A private directory (mode 0700) under the system's temporary directory, removed with its content.
class TemporaryDirectory {
 public:
  // The directory is called robust_kbench_<purpose>_<random>. Throws HarnessError.
  explicit TemporaryDirectory(const std::string& purpose);
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  ~TemporaryDirectory();

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

 private:
  std::filesystem::path m_path;
  Descriptor m_lock;  // held while this process lives
};

}  // namespace robust_kbench
