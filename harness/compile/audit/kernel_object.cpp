#include "compile/audit/kernel_object.hpp"

#include <algorithm>

#include "compile/fatbin.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

constexpr std::size_t least_text = 4;  // characters

bool is_printable(char c) {
  return (c >= ' ' && c <= '~') || c == '\t' || c == '\n';
}

void add_texts(std::string_view data, std::vector<std::string_view>& texts) {
  for (std::size_t begin = 0; begin < data.size();) {
    std::size_t end = begin;
    while (end < data.size() && is_printable(data[end])) ++end;
    if (end - begin >= least_text) texts.push_back(data.substr(begin, end - begin));
    begin = end + 1;
  }
}

bool holds_data(const ElfSection& section) {
  const std::uint64_t flags = section.header.sh_flags;
  return section.header.sh_type == SHT_PROGBITS && (flags & SHF_ALLOC) != 0 &&
         (flags & SHF_EXECINSTR) == 0 && !section.name.starts_with(".eh_frame") &&
         !section.name.starts_with(".gcc_except_table");
}

// The loader binds all uses of such a symbol to the first library that has it. The linker binds
// those of functions (compile_commands.cpp). Compilers make weak data of C++ by themselves.
bool is_data_of_any_library(const Elf64_Sym& symbol, std::string_view name) {
  const unsigned type = ELF64_ST_TYPE(symbol.st_info);
  const bool is_made = ELF64_ST_BIND(symbol.st_info) == STB_WEAK && name.starts_with("_Z");
  return symbol.st_shndx != SHN_UNDEF && type != STT_FUNC && type != STT_GNU_IFUNC &&
         ELF64_ST_VISIBILITY(symbol.st_other) == STV_DEFAULT && !is_made;
}

}  // namespace

KernelObject::KernelObject(const std::filesystem::path& path)
    : m_path(path), m_bytes(read_text(path).value_or("")) {
  const std::vector<ElfSection> sections = sections_of(m_bytes);
  for (const ElfSection& section : sections) {
    if (section.header.sh_type == SHT_SYMTAB) read_symbols(section, sections);
    if ((section.header.sh_flags & SHF_EXECINSTR) != 0) m_code.push_back(section);
    if (section.name == ".nv_fatbin") {
      m_fatbins.push_back(section.content);
    } else if (holds_data(section)) {
      m_data.push_back(section.content);
    }
  }
}

void KernelObject::read_symbols(const ElfSection& section, const std::vector<ElfSection>& all) {
  if (section.header.sh_link >= all.size()) throw MalformedElf("a table of symbols has no names");
  const std::string_view names = all[section.header.sh_link].content;
  const std::size_t count = section.content.size() / sizeof(Elf64_Sym);
  for (std::size_t i = 1; i < count; ++i) {
    const auto symbol = value_at<Elf64_Sym>(section.content, i * sizeof(Elf64_Sym));
    if (ELF64_ST_BIND(symbol.st_info) == STB_LOCAL) continue;
    const std::string_view name = text_at(names, symbol.st_name);
    if (is_data_of_any_library(symbol, name)) m_shared_data.push_back(name);
    (symbol.st_shndx == SHN_UNDEF ? m_undefined : m_defined).push_back(name);
  }
}

std::vector<std::string_view> KernelObject::texts() const {
  std::vector<std::string_view> texts;
  for (const std::string_view data : m_data) add_texts(data, texts);
  return texts;
}

std::vector<std::string_view> KernelObject::ptx() const {
  std::vector<std::string_view> texts;
  for (const std::string_view fatbin : m_fatbins) {
    for (const std::vector<GpuCode>& container : gpu_code_of(fatbin)) {
      for (const GpuCode& code : container) {
        if (!is_machine_code(code)) texts.push_back(code.content);
      }
    }
  }
  return texts;
}

}  // namespace robust_kbench
