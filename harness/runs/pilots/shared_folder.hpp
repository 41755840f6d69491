#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace robust_kbench {

// Thrown where an operation on a shared folder fails. The cause may pass: its disk is full, its
// server is gone for a while, a handle is stale. Whoever catches it tries again later.
class FolderTrouble : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A folder that several machines see, as the few operations that a run on pilots needs
// (docs/cluster.md). Only writing needs space on its disk. Names are relative to the folder.
// Threads may share an object.
class SharedFolder {
 public:
  explicit SharedFolder(std::filesystem::path directory);

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  // Makes the folder with these directories, where it is missing or empty. One more directory,
  // `token_directory`, is made with the empty file `token` in it, once for all time. Throws
  // UserError where the folder holds anything else, or cannot be made.
  void make(const std::vector<std::string>& directories, const std::string& token_directory,
            const std::string& token) const;
  // Whether it has been made, and can be seen now.
  [[nodiscard]] bool is_there() const;

  // Writes a file so that others see all of it or nothing. All functions from here on throw
  // FolderTrouble.
  void write(const std::string& name, const std::string& text) const;
  [[nodiscard]] std::optional<std::string> read(const std::string& name) const;  // none: missing
  // Renames a file, which one of all who try it at the same time can do. False: it is missing.
  // `to` is a name that nobody else gives a file.
  [[nodiscard]] bool move(const std::string& from, const std::string& to) const;
  void remove(const std::string& name) const;
  // The names in one of its directories, sorted.
  [[nodiscard]] std::vector<std::string> list(const std::string& directory) const;

 private:
  [[noreturn]] void fail(const std::string& what, int error) const;
  // Throws FolderTrouble where the folder itself has vanished, for which ENOENT stands, too.
  void require_there(const std::string& what) const;

  const std::filesystem::path m_path;
};

}  // namespace robust_kbench
