#include "compile/machine_code.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <elf.h>
#include <stdexcept>
#include <vector>

#include "core/sha256.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

// The file's tables point outside of it.
class Unreadable : public std::runtime_error {
 public:
  Unreadable() : std::runtime_error("unreadable machine code") {}
};

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

std::string_view part(std::string_view bytes, std::uint64_t offset, std::uint64_t count) {
  if (offset > bytes.size() || count > bytes.size() - offset) throw Unreadable();
  return bytes.substr(offset, count);
}

template <typename T>
T read_at(std::string_view bytes, std::uint64_t offset) {
  T value;
  std::memcpy(&value, part(bytes, offset, sizeof(T)).data(), sizeof(T));
  return value;
}

struct Section {
  std::string_view name;
  Elf64_Shdr header;
  std::string_view content;
};

std::vector<Section> sections_of(std::string_view elf) {
  const auto header = read_at<Elf64_Ehdr>(elf, 0);
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0) throw Unreadable();
  const auto at = [&](std::uint64_t index) {
    if (index >= header.e_shnum) throw Unreadable();
    return read_at<Elf64_Shdr>(elf, header.e_shoff + index * sizeof(Elf64_Shdr));
  };
  const Elf64_Shdr names = at(header.e_shstrndx);
  const std::string_view all_names = part(elf, names.sh_offset, names.sh_size);
  std::vector<Section> sections;
  for (std::uint64_t i = 0; i < header.e_shnum; ++i) {
    const Elf64_Shdr section = at(i);
    if (section.sh_name >= all_names.size()) throw Unreadable();
    const std::string_view name = all_names.substr(section.sh_name);
    const bool empty = section.sh_type == SHT_NOBITS || section.sh_type == SHT_NULL;
    sections.push_back(
        {name.substr(0, name.find('\0')), section,
         empty ? std::string_view() : part(elf, section.sh_offset, section.sh_size)});
  }
  return sections;
}

// The text of which the digest is taken.
class Code {
 public:
  void add(const Section& section) {
    const Elf64_Shdr& header = section.header;
    // For a GPU `sh_info` has the count of registers.
    for (const std::uint64_t field :
         {std::uint64_t{header.sh_type}, std::uint64_t{header.sh_flags},
          std::uint64_t{header.sh_info}, std::uint64_t{header.sh_size}}) {
      m_text += std::to_string(field) + " ";
    }
    m_text += without_source_digests(section.name) + "\n" +
              without_source_digests(section.content) + "\n";
  }
  void add(std::string_view bytes) { m_text += bytes; }
  [[nodiscard]] std::string digest() const { return sha256(m_text); }

 private:
  std::string m_text;
};

void add_gpu_code(std::string_view cubin, Code& code) {
  for (const Section& section : sections_of(cubin)) {
    const auto begins = [&](std::string_view with) { return section.name.starts_with(with); };
    const bool of_lines = begins(".debug") || begins(".nv_debug") || begins(".rela.debug") ||
                          begins(".rela.nv_debug") || begins(".rel.debug");
    if (!of_lines && !begins(".note") && section.header.sh_type != SHT_STRTAB) code.add(section);
  }
}

// PTX is left out if there is machine code, which was made from it.
void add_fatbin(std::string_view fatbin, Code& code) {
  while (!fatbin.empty()) {
    const auto header = read_at<FatbinHeader>(fatbin, 0);
    if (header.magic != fatbin_magic || header.header_bytes < sizeof(header)) throw Unreadable();
    std::string_view entries = part(fatbin, header.header_bytes, header.bytes);
    fatbin.remove_prefix(header.header_bytes + entries.size());
    bool has_code = false;
    const std::string_view all = entries;
    while (!entries.empty()) {
      const auto entry = read_at<FatbinEntry>(entries, 0);
      if (entry.header_bytes < sizeof(entry)) throw Unreadable();
      const std::string_view content = part(entries, entry.header_bytes, entry.bytes);
      entries.remove_prefix(entry.header_bytes + content.size());
      if (entry.kind != elf_kind) continue;
      has_code = true;
      if (content.starts_with(ELFMAG)) {
        add_gpu_code(content, code);
      } else {
        code.add(content);  // compressed code
      }
    }
    if (!has_code) code.add(all);
    const std::size_t padding = std::min(fatbin.find_first_not_of('\0'), fatbin.size());
    fatbin.remove_prefix(padding - padding % fatbin_alignment);
    if (padding == fatbin.size()) return;
  }
}

// Tables of exceptions are no code. Their order follows from names.
bool is_host_code(const Section& section) {
  const bool of_exceptions =
      section.name.starts_with(".eh_frame") || section.name == ".gcc_except_table";
  return (section.header.sh_flags & SHF_ALLOC) != 0 && !of_exceptions &&
         section.name != ".note.gnu.build-id";
}

std::string cuda_digest(std::string_view library) {
  Code code;
  for (const Section& section : sections_of(library)) {
    if (section.name == ".nv_fatbin") {
      add_fatbin(section.content, code);
    } else if (is_host_code(section)) {
      code.add(section);
    }
  }
  return code.digest();
}

constexpr std::size_t digest_digits = 8;

bool is_digest(std::string_view text) {
  return text.size() >= digest_digits &&
         text.substr(0, digest_digits).find_first_not_of("0123456789abcdef") ==
             std::string_view::npos;
}

}  // namespace

std::string without_source_digests(std::string_view text) {
  std::string result(text);
  const std::string zeros(digest_digits, '0');
  // "_a16eb406_9_kernel_cu_f4e825ed" has a digest, the length of a file's name, that name, a
  // digest.
  for (std::size_t at = text.find('_'); at != std::string_view::npos; at = text.find('_', at + 1)) {
    const std::string_view rest = text.substr(at + 1);
    if (!is_digest(rest) || !rest.substr(digest_digits).starts_with('_')) continue;
    const std::string_view counted = rest.substr(digest_digits + 1);
    std::size_t length = 0;
    const char* end = std::from_chars(counted.data(), counted.data() + counted.size(), length).ptr;
    const auto digits = static_cast<std::size_t>(end - counted.data());
    const std::size_t second = digits + 1 + length + 1;  // of `counted`
    if (digits == 0 || length > counted.size() || second > counted.size() ||
        counted[digits] != '_' || counted[second - 1] != '_' || !is_digest(counted.substr(second)))
      continue;
    result.replace(at + 1, digest_digits, zeros);
    result.replace(at + 1 + digest_digits + 1 + second, digest_digits, zeros);
  }
  return result;
}

std::string machine_code_digest(const std::filesystem::path& library, Device device) {
  const std::string bytes = read_text(library).value_or("");
  if (device == Device::cpu) return sha256(bytes);
  try {
    return cuda_digest(bytes);
  } catch (const Unreadable&) {
    return sha256(bytes);
  }
}

}  // namespace robust_kbench
