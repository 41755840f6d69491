#include "compile/machine_code.hpp"

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <vector>

#include "compile/elf_sections.hpp"
#include "compile/fatbin.hpp"
#include "core/sha256.hpp"
#include "core/text_file.hpp"

namespace robust_kbench {
namespace {

// The text of which the digest is taken.
class Code {
 public:
  void add(const ElfSection& section) {
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
  for (const ElfSection& section : sections_of(cubin)) {
    const auto begins = [&](std::string_view with) { return section.name.starts_with(with); };
    const bool of_lines = begins(".debug") || begins(".nv_debug") || begins(".rela.debug") ||
                          begins(".rela.nv_debug") || begins(".rel.debug");
    if (!of_lines && !begins(".note") && section.header.sh_type != SHT_STRTAB) code.add(section);
  }
}

// PTX is left out if there is machine code, which was made from it.
void add_fatbin(std::string_view fatbin, Code& code) {
  for (const std::vector<GpuCode>& entries : gpu_code_of(fatbin)) {
    const bool has_code = std::any_of(entries.begin(), entries.end(), is_machine_code);
    for (const GpuCode& entry : entries) {
      if (has_code && !is_machine_code(entry)) continue;
      if (entry.content.starts_with(ELFMAG)) {
        add_gpu_code(entry.content, code);
      } else {
        code.add(entry.content);  // PTX, or compressed code
      }
    }
  }
}

// Tables of exceptions are no code. Their order follows from names.
bool is_host_code(const ElfSection& section) {
  const bool of_exceptions =
      section.name.starts_with(".eh_frame") || section.name == ".gcc_except_table";
  return (section.header.sh_flags & SHF_ALLOC) != 0 && !of_exceptions &&
         section.name != ".note.gnu.build-id";
}

std::string cuda_digest(std::string_view library) {
  Code code;
  for (const ElfSection& section : sections_of(library)) {
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
  } catch (const MalformedElf&) {
    return sha256(bytes);
  }
}

}  // namespace robust_kbench
