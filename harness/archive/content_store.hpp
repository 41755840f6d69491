#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace robust_kbench {

// Texts in files that are named by their SHA-256: content/ab/cdef... A file is complete or absent,
// also after a kill or a power failure. Functions throw UserError.
class ContentStore {
 public:
  explicit ContentStore(std::filesystem::path directory) : m_directory(std::move(directory)) {}

  // Returns the hash, in hexadecimal, once the text is on the disk.
  [[nodiscard]] std::string put(std::string_view text) const;
  // Throws if the file is missing or its text has another hash.
  [[nodiscard]] std::string get(const std::string& hash) const;
  [[nodiscard]] std::filesystem::path path(const std::string& hash) const;

 private:
  std::filesystem::path m_directory;
};

}  // namespace robust_kbench
