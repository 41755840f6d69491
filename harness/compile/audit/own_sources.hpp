#pragma once

#include <deque>
#include <filesystem>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "core/manifest.hpp"
#include "source/tokens.hpp"

namespace robust_kbench {

// The text of a file, which is cut into its lexical elements when they are asked for.
class SourceText {
 public:
  explicit SourceText(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  [[nodiscard]] const std::string& text() const { return m_text; }
  // Its elements without comments and spaces.
  [[nodiscard]] const std::vector<Token>& tokens() const;

 private:
  std::filesystem::path m_path;
  std::string m_text;
  mutable std::optional<std::vector<Token>> m_tokens;
};

// A kernel's sources, and the headers that they include from elsewhere than the toolchain.
class OwnSources {
 public:
  // `read` are the files that the compiler has read. Those below `made` are not the kernel's.
  OwnSources(const KernelSource& kernel, const Toolchain& toolchain,
             const std::vector<std::filesystem::path>& read, const std::filesystem::path& made);

  [[nodiscard]] const std::deque<SourceText>& files() const { return m_files; }
  // Whether a compiler names one of these files so. It is true of any name where a file says by
  // #line that its lines are another file's.
  [[nodiscard]] bool has(const std::string& name) const;
  // Whether a text is the name of a file that the compiler has read, as __FILE__ gives it.
  [[nodiscard]] bool names_file(std::string_view text) const;

 private:
  [[nodiscard]] bool holds(const std::filesystem::path& path) const;

  std::deque<SourceText> m_files;  // which tokens point into
  std::set<std::string, std::less<>> m_read;
  bool m_renames_lines = false;
};

}  // namespace robust_kbench
