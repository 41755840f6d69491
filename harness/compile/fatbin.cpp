#include "compile/fatbin.hpp"

#include <algorithm>

#include "compile/elf_sections.hpp"

namespace robust_kbench {
namespace {

// The layout of a container of code for GPUs, as nvcc, cuobjdump and the driver know it.
struct FatbinHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  // of the entries
};
struct FatbinEntry {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;
};
constexpr std::uint32_t fatbin_magic = 0xBA55ED50;
constexpr std::uint16_t elf_kind = 2;  // machine code; others hold PTX
constexpr std::size_t fatbin_alignment = 8;

std::vector<GpuCode> entries_of(std::string_view entries) {
  std::vector<GpuCode> all;
  while (!entries.empty()) {
    const auto entry = value_at<FatbinEntry>(entries, 0);
    if (entry.header_bytes < sizeof(entry)) throw MalformedElf("an entry has no whole header");
    const std::string_view content = bytes_at(entries, entry.header_bytes, entry.bytes);
    entries.remove_prefix(entry.header_bytes + content.size());
    all.push_back({entry.kind, content});
  }
  return all;
}

}  // namespace

bool is_machine_code(const GpuCode& code) {
  return code.kind == elf_kind;
}

std::vector<std::vector<GpuCode>> gpu_code_of(std::string_view section) {
  std::vector<std::vector<GpuCode>> containers;
  while (!section.empty()) {
    const auto header = value_at<FatbinHeader>(section, 0);
    if (header.magic != fatbin_magic || header.header_bytes < sizeof(header)) {
      throw MalformedElf("the section holds no code for GPUs");
    }
    const std::string_view entries = bytes_at(section, header.header_bytes, header.bytes);
    section.remove_prefix(header.header_bytes + entries.size());
    containers.push_back(entries_of(entries));
    const std::size_t padding = std::min(section.find_first_not_of('\0'), section.size());
    section.remove_prefix(padding - padding % fatbin_alignment);
    if (padding == section.size()) break;
  }
  return containers;
}

}  // namespace robust_kbench
