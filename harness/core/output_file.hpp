#pragma once

#include <filesystem>
#include <string>

#include <nlohmann/json_fwd.hpp>

namespace robust_kbench {

// A file that a user has named for results. What may take an hour makes it first, so that a path
// that cannot be written is known before the hour.
class OutputFile {
 public:
  // Makes the directories above it. Nothing is written yet, and what is there stays. An empty path
  // is that of no file: what is written to it is dropped. Throws UserError.
  explicit OutputFile(const std::string& path);

  // In one step, so that a reader never sees half of it and a full disk leaves what was there
  // before; what is no regular file, a pipe or a device, is written to as it is. Throws UserError.
  void write(const std::string& text) const;
  void write(const nlohmann::json& json) const;

 private:
  void write_beside(const std::string& text) const;
  [[nodiscard]] std::filesystem::path beside() const;

  std::filesystem::path m_named;  // by the user
  std::filesystem::path m_path;   // of the file itself where a link was named
  bool m_replaceable = true;
};

}  // namespace robust_kbench
