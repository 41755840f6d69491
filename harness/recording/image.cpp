#include "recording/image.hpp"

#include <algorithm>
#include <cctype>
#include <cstring>
#include <elf.h>

namespace robust_kbench {
namespace {

// A container of code, by nvcc's fatbinary_section.h and what cuobjdump shows of one.
struct ContainerHeader {
  std::uint32_t magic;
  std::uint16_t version;
  std::uint16_t header_bytes;
  std::uint64_t bytes;  // of all entries
};
constexpr std::uint32_t container_magic = 0xBA55ED50;

struct EntryHeader {
  std::uint16_t kind;
  std::uint16_t version;
  std::uint32_t header_bytes;
  std::uint64_t bytes;  // of the code behind the header
};
constexpr std::uint16_t machine_code_kind = 2;

constexpr const char* ptx_alone = "PTX without machine code";
constexpr const char* unknown_code = "code that is neither an ELF file nor a container";

template <typename Header>
std::optional<Header> header_at(std::span<const std::uint8_t> bytes, std::size_t at) {
  if (at > bytes.size() || bytes.size() - at < sizeof(Header)) return std::nullopt;
  Header header;
  std::memcpy(&header, bytes.data() + at, sizeof header);
  return header;
}

bool is_elf(const void* memory) {
  return std::memcmp(memory, ELFMAG, SELFMAG) == 0;
}

bool is_text(std::span<const std::uint8_t> image) {
  const auto is_of_text = [](std::uint8_t byte) {
    return std::isprint(byte) || std::isspace(byte);
  };
  return !image.empty() && std::ranges::all_of(image, is_of_text);
}

// An ELF file ends with one of its tables, or with a section.
std::size_t elf_bytes(const std::uint8_t* memory) {
  Elf64_Ehdr header;
  std::memcpy(&header, memory, sizeof header);
  std::size_t end =
      std::max<std::size_t>(header.e_phoff + std::size_t{header.e_phnum} * header.e_phentsize,
                            header.e_shoff + std::size_t{header.e_shnum} * header.e_shentsize);
  for (std::size_t i = 0; i < header.e_shnum; ++i) {
    Elf64_Shdr section;
    std::memcpy(&section, memory + header.e_shoff + i * header.e_shentsize, sizeof section);
    if (section.sh_type != SHT_NOBITS) end = std::max(end, section.sh_offset + section.sh_size);
  }
  return end;
}

void append_bytes(std::vector<std::uint8_t>& to, std::span<const std::uint8_t> from) {
  to.insert(to.end(), from.begin(), from.end());
}

// The entries with machine code of the container's, one after the other.
MachineCode machine_code_of(std::span<const std::uint8_t> image, const ContainerHeader& container) {
  MachineCode code;
  append_bytes(code.image, image.first(container.header_bytes));
  std::size_t at = container.header_bytes;
  const std::size_t end = at + container.bytes;
  while (at < end) {
    const auto entry = header_at<EntryHeader>(image.first(end), at);
    if (!entry || entry->header_bytes < sizeof(EntryHeader) || entry->header_bytes > end - at ||
        entry->bytes > end - at - entry->header_bytes) {
      return {.image = {}, .missing = "a container of code is cut off"};
    }
    const std::size_t bytes = entry->header_bytes + entry->bytes;
    if (entry->kind == machine_code_kind) append_bytes(code.image, image.subspan(at, bytes));
    at += bytes;
  }
  const std::uint64_t kept = code.image.size() - container.header_bytes;
  if (kept == 0) return {.image = {}, .missing = ptx_alone};
  std::memcpy(code.image.data() + offsetof(ContainerHeader, bytes), &kept, sizeof kept);
  return code;
}

}  // namespace

std::optional<std::size_t> image_bytes(const void* memory) {
  if (is_elf(memory)) return elf_bytes(static_cast<const std::uint8_t*>(memory));
  ContainerHeader header;
  std::memcpy(&header, memory, sizeof header);
  if (header.magic != container_magic) return std::nullopt;
  return header.header_bytes + header.bytes;
}

MachineCode without_ptx(std::span<const std::uint8_t> image) {
  if (image.size() >= sizeof(Elf64_Ehdr) && is_elf(image.data())) {
    return {.image = {image.begin(), image.end()}, .missing = ""};
  }
  const auto header = header_at<ContainerHeader>(image, 0);
  if (!header || header->magic != container_magic) {
    return {.image = {}, .missing = is_text(image) ? ptx_alone : unknown_code};
  }
  if (header->header_bytes < sizeof(ContainerHeader) || header->header_bytes > image.size() ||
      header->bytes > image.size() - header->header_bytes) {
    return {.image = {}, .missing = "a container of code is cut off"};
  }
  return machine_code_of(image, *header);
}

}  // namespace robust_kbench
