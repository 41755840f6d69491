#include "compile/elf_sections.hpp"

namespace robust_kbench {

std::string_view bytes_at(std::string_view bytes, std::uint64_t offset, std::uint64_t count) {
  if (offset > bytes.size() || count > bytes.size() - offset) {
    throw MalformedElf("a table of the file points outside of it");
  }
  return bytes.substr(offset, count);
}

std::string_view text_at(std::string_view bytes, std::uint64_t offset) {
  if (offset >= bytes.size()) throw MalformedElf("a name of the file lies outside of it");
  const std::string_view rest = bytes.substr(offset);
  return rest.substr(0, rest.find('\0'));
}

std::vector<ElfSection> sections_of(std::string_view elf) {
  const auto header = value_at<Elf64_Ehdr>(elf, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) {
    throw MalformedElf("the file is no ELF file");
  }
  const auto at = [&](std::uint64_t index) {
    if (index >= header.e_shnum) throw MalformedElf("the file lacks a section that it names");
    return value_at<Elf64_Shdr>(elf, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const Elf64_Shdr names = at(header.e_shstrndx);
  const std::string_view all_names = bytes_at(elf, names.sh_offset, names.sh_size);
  std::vector<ElfSection> sections;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = at(i);
    const bool empty = section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL;
    sections.push_back(
        {text_at(all_names, section.sh_name), section,
         empty ? std::string_view() : bytes_at(elf, section.sh_offset, section.sh_size)});
  }
  return sections;
}

}  // namespace robust_kbench
