#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "core/manifest.hpp"
#include "process/temporary_directory.hpp"

namespace robust_kbench {

// The git repository around a file.
class Repository {
 public:
  // Throws UserError where there is none.
  explicit Repository(const std::filesystem::path& file);

  [[nodiscard]] const std::filesystem::path& top() const { return m_top; }
  [[nodiscard]] bool holds(const KernelSource& kernel) const;
  // The commit that a revision names. Throws UserError where it names none.
  [[nodiscard]] std::string commit(const std::string& revision) const;

 private:
  std::filesystem::path m_top;
};

// The kernels of a repository as they are at a revision, or in its working tree.
class KernelsAt {
 public:
  // The working tree. `repository` outlives this object.
  explicit KernelsAt(const Repository& repository);
  // A revision, whose files are written to a temporary directory. The repository itself stays as
  // it is. Throws UserError.
  KernelsAt(const Repository& repository, const std::string& revision);

  // Returns the kernel with the files of this revision, to be compiled on its own with the flags
  // of the build. Files that the revision lacks are the working tree's, as generated ones are.
  // Returns nullopt where it lacks a source.
  [[nodiscard]] std::optional<KernelSource> kernel(const KernelSource& of_build) const;
  // The texts of such a kernel's sources, of what they include between quotes, and of its
  // directories of headers in the repository. Kernels with the same texts need no race.
  [[nodiscard]] std::string texts_of(const KernelSource& kernel) const;

 private:
  [[nodiscard]] std::filesystem::path tree() const;
  [[nodiscard]] std::string moved(const std::string& path) const;

  const Repository& m_repository;
  std::optional<TemporaryDirectory> m_directory;  // none for the working tree
};

}  // namespace robust_kbench
