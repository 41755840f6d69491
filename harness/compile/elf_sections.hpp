#pragma once

#include <cstdint>
#include <cstring>
#include <elf.h>
#include <stdexcept>
#include <string_view>
#include <vector>

namespace robust_kbench {

// A file is no object of the expected kind, or its tables point outside of it.
class MalformedElf : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

// A section of a 64-bit ELF file. Name and content are parts of the file's bytes.
struct ElfSection {
  std::string_view name;
  Elf64_Shdr header;
  std::string_view content;  // empty for a section without bytes in the file
};

// `count` bytes from `offset` on. Throws MalformedElf where there are fewer.
std::string_view bytes_at(std::string_view bytes, std::uint64_t offset, std::uint64_t count);

// The value whose bytes begin at `offset`. Throws MalformedElf.
template <typename T>
T value_at(std::string_view bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, bytes_at(bytes, offset, sizeof(T)).data(), sizeof(T));
  return value;
}

// The text that begins at `offset` and ends before the next null byte. Throws MalformedElf.
std::string_view text_at(std::string_view bytes, std::uint64_t offset);

// All sections of an ELF file by their index. Throws MalformedElf.
std::vector<ElfSection> sections_of(std::string_view elf);

}  // namespace robust_kbench
