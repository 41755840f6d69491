#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "compile/elf_sections.hpp"

namespace robust_kbench {

// The object of one of a kernel's sources, before it is linked. It is only read.
class KernelObject {
 public:
  // Throws MalformedElf.
  explicit KernelObject(const std::filesystem::path& path);

  [[nodiscard]] const std::filesystem::path& path() const { return m_path; }
  // Symbols that other objects have to define, weak ones, too.
  [[nodiscard]] const std::vector<std::string_view>& undefined() const { return m_undefined; }
  [[nodiscard]] const std::vector<std::string_view>& defined() const { return m_defined; }
  // Variables that it defines, and that the loader takes from any library which has them, too.
  [[nodiscard]] const std::vector<std::string_view>& shared_data() const { return m_shared_data; }
  // The sections that a processor runs.
  [[nodiscard]] const std::vector<ElfSection>& code() const { return m_code; }
  // Texts of at least four characters in the sections of data.
  [[nodiscard]] std::vector<std::string_view> texts() const;
  // The PTX that nvcc has embedded for GPUs. Empty where options of the kernel leave it out.
  [[nodiscard]] std::vector<std::string_view> ptx() const;

 private:
  void read_symbols(const ElfSection& section, const std::vector<ElfSection>& all);

  std::filesystem::path m_path;
  std::string m_bytes;
  std::vector<std::string_view> m_undefined, m_defined, m_shared_data, m_data, m_fatbins;
  std::vector<ElfSection> m_code;
};

}  // namespace robust_kbench
