#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

class TakenStdout;

// A file that a user has named for results. A command makes this object before work that may take
// an hour, so that an unwritable path is known at once. "-" is stdout, to which nothing else is
// written while this object lives (core/taken_stdout.hpp).
class OutputFile {
 public:
  // Makes the parent directories. Nothing is written yet, and existing content stays. An empty path
  // means no file, and everything written is dropped. Throws UserError.
  explicit OutputFile(const std::string& path);

  // Replaces a regular file atomically: a reader never sees half of it, and a full disk leaves the
  // former content. A pipe or a device is written to directly. Throws UserError.
  void write(const std::string& text) const;
  void write(const nlohmann::json& json) const;

 private:
  void write_beside(const std::string& text) const;
  [[nodiscard]] std::filesystem::path beside() const;

  std::filesystem::path m_named;  // as the user gave it
  std::filesystem::path m_path;   // with a symbolic link resolved
  bool m_replaceable = true;
  std::shared_ptr<const TakenStdout> m_stdout;  // set for "-"
};

}  // namespace robust_kbench
