#pragma once

#include <filesystem>
#include <string>

#include "process/temporary_directory.hpp"

namespace robust_kbench {

// The files of a torch.compile package (.pt2), an archive. Torch's own loader writes them into
// /tmp, which no worker may; this writes them into the worker's directory.
class UnpackedPackage {
 public:
  // Throws what torch throws where the file is no archive, and HarnessError where it holds no
  // shared object or a file cannot be written.
  explicit UnpackedPackage(const std::string& package);

  // Holds the shared object, and a GPU's machine code beside it.
  [[nodiscard]] const std::filesystem::path& directory() const { return m_directory.path(); }
  [[nodiscard]] const std::string& library() const { return m_library; }

 private:
  TemporaryDirectory m_directory{"package"};
  std::string m_library;
};

}  // namespace robust_kbench
