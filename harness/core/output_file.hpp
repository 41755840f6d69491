#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

class TakenStdout;

// A file that a user has named for results. Work that may take an hour makes this object first, so
// that an unwritable path is known before the hour. "-" is stdout, which has nothing else while
// this object lives (core/taken_stdout.hpp).
class OutputFile {
 public:
  // Makes the directories above it. Nothing is written yet, and existing content stays. An empty
  // path means no file, and anything written is dropped. Throws UserError.
  explicit OutputFile(const std::string& path);

  // Replaces a regular file atomically. So a reader never sees half of it, and a full disk leaves
  // the former content. A pipe or a device is written to directly. Throws UserError.
  void write(const std::string& text) const;
  void write(const nlohmann::json& json) const;

 private:
  void write_beside(const std::string& text) const;
  [[nodiscard]] std::filesystem::path beside() const;

  std::filesystem::path m_named;  // by the user
  std::filesystem::path m_path;   // of the file itself where a link was named
  bool m_replaceable = true;
  std::shared_ptr<const TakenStdout> m_stdout;  // of "-"
};

}  // namespace robust_kbench
