#pragma once

#include <filesystem>
#include <string>

#include "process/temporary_directory.hpp"

namespace robust_kbench {

// The files of a torch.compile package (.pt2), an archive. Torch's own loader writes them into
// /tmp, which workers may not do. This class writes them into the worker's directory.
class UnpackedPackage {
 public:
  // Throws torch's errors if the file is no archive. Throws HarnessError if it holds no shared
  // object or a file cannot be written.
  explicit UnpackedPackage(const std::string& package);

  // The directory of the shared object, and of a GPU's machine code.
  [[nodiscard]] const std::filesystem::path& directory() const { return m_directory.path(); }
  [[nodiscard]] const std::string& library() const { return m_library; }

 private:
  TemporaryDirectory m_directory{"package"};
  std::string m_library;
};

}  // namespace robust_kbench
