#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "compile/elf_sections.hpp"

namespace robust_kbench {

// A 64-bit shared object as its tables describe it. The file is only read and never loaded, so none
// of its code runs.
class ElfFile {
 public:
  // Throws MalformedElf.
  explicit ElfFile(const std::filesystem::path& path);
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile();

  // Calls visit(name, defined, weak) for each dynamic symbol that other objects see or must
  // provide.
  void each_symbol(const std::function<void(std::string_view, bool, bool)>& visit) const;

  [[nodiscard]] const std::vector<std::string>& needed() const { return m_needed; }
  [[nodiscard]] const std::vector<std::string>& run_paths() const { return m_run_paths; }
  [[nodiscard]] bool has_text_relocations() const { return m_text_relocations; }
  [[nodiscard]] bool has_executable_stack() const { return m_executable_stack; }

 private:
  template <typename T>
  [[nodiscard]] const T* table(std::size_t offset, std::size_t count) const;
  [[nodiscard]] std::string_view string_at(std::size_t table_offset, std::size_t table_size,
                                           std::size_t index) const;
  void read_sections();
  void read_dynamic(std::size_t offset, std::size_t count);

  std::string m_path;
  const std::byte* m_data = nullptr;
  std::size_t m_size = 0;
  std::size_t m_symbols = 0, m_symbol_count = 0;  // offset in the file; 0: none
  std::size_t m_strings = 0, m_strings_size = 0;
  std::vector<std::string> m_needed;
  std::vector<std::string> m_run_paths;
  bool m_text_relocations = false;
  bool m_executable_stack = false;
};

}  // namespace robust_kbench
