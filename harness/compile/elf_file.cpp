#include "compile/elf_file.hpp"

#include <cstring>
#include <elf.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "core/descriptor.hpp"

namespace robust_kbench {

ElfFile::ElfFile(const std::filesystem::path& path) : m_path(path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat status {};
  if (file.get() < 0 || fstat(file.get(), &status) != 0 || status.st_size <= 0) {
    throw MalformedElf(m_path + " cannot be read");
  }
  m_size = static_cast<std::size_t>(status.st_size);
  void* mapped = mmap(nullptr, m_size, PROT_READ, MAP_PRIVATE, file.get(), 0);
  if (mapped == MAP_FAILED) throw MalformedElf(m_path + " cannot be mapped");
  m_data = static_cast<const std::byte*>(mapped);
  try {
    read_sections();
  } catch (...) {
    munmap(mapped, m_size);
    throw;
  }
}

ElfFile::~ElfFile() {
  munmap(const_cast<std::byte*>(m_data), m_size);
}

template <typename T>
const T* ElfFile::table(std::size_t offset, std::size_t count) const {
  if (offset > m_size || count > (m_size - offset) / sizeof(T) || offset % alignof(T) != 0) {
    throw MalformedElf(m_path + " is no well-formed ELF file");
  }
  return reinterpret_cast<const T*>(m_data + offset);
}

std::string_view ElfFile::string_at(std::size_t table_offset, std::size_t table_size,
                                    std::size_t index) const {
  const char* strings = table<char>(table_offset, table_size);
  if (index >= table_size) throw MalformedElf(m_path + " is no well-formed ELF file");
  return {strings + index, strnlen(strings + index, table_size - index)};
}

void ElfFile::read_sections() {
  const auto& header = *table<Elf64_Ehdr>(0, 1);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != ELFCLASS64 ||
      header.e_type != ET_DYN) {
    throw MalformedElf(m_path + " is no 64-bit shared object");
  }
  const auto* sections = table<Elf64_Shdr>(header.e_shoff, header.e_shnum);
  std::size_t dynamic = 0;
  std::size_t dynamic_count = 0;
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr& section = sections[i];
    if (section.sh_type == SHT_DYNAMIC) {
      dynamic = section.sh_offset;
      dynamic_count = section.sh_size / sizeof(Elf64_Dyn);
    }
    if (section.sh_type != SHT_DYNSYM || section.sh_link >= header.e_shnum) continue;
    m_symbols = section.sh_offset;
    m_symbol_count = section.sh_size / sizeof(Elf64_Sym);
    m_strings = sections[section.sh_link].sh_offset;
    m_strings_size = sections[section.sh_link].sh_size;
  }
  // Without PT_GNU_STACK the stack is executable, too.
  m_executable_stack = true;
  const auto* segments = table<Elf64_Phdr>(header.e_phoff, header.e_phnum);
  for (std::size_t i = 0; i < header.e_phnum; ++i) {
    if (segments[i].p_type == PT_GNU_STACK) m_executable_stack = (segments[i].p_flags & PF_X) != 0;
  }
  read_dynamic(dynamic, dynamic_count);
}

void ElfFile::read_dynamic(std::size_t offset, std::size_t count) {
  const auto* entries = table<Elf64_Dyn>(offset, count);
  for (std::size_t i = 0; i < count && entries[i].d_tag != DT_NULL; ++i) {
    const Elf64_Dyn& entry = entries[i];
    const auto text = [&] {
      return std::string(string_at(m_strings, m_strings_size, entry.d_un.d_val));
    };
    if (entry.d_tag == DT_NEEDED) m_needed.push_back(text());
    if (entry.d_tag == DT_RPATH || entry.d_tag == DT_RUNPATH) m_run_paths.push_back(text());
    if (entry.d_tag == DT_TEXTREL) m_text_relocations = true;
    if (entry.d_tag == DT_FLAGS && (entry.d_un.d_val & DF_TEXTREL) != 0) m_text_relocations = true;
  }
}

void ElfFile::each_symbol(const std::function<void(std::string_view, bool, bool)>& visit) const {
  const auto* symbols = table<Elf64_Sym>(m_symbols, m_symbol_count);
  for (std::size_t i = 1; i < m_symbol_count; ++i) {
    const Elf64_Sym& symbol = symbols[i];
    const unsigned binding = ELF64_ST_BIND(symbol.st_info);
    if (binding == STB_LOCAL) continue;
    visit(string_at(m_strings, m_strings_size, symbol.st_name), symbol.st_shndx != SHN_UNDEF,
          binding == STB_WEAK);
  }
}

}  // namespace robust_kbench
