#include "recording/image.hpp"

#include <cstring>
#include <elf.h>
#include <utility>

#include <gtest/gtest.h>

namespace robust_kbench {
namespace {

using ImageBytes = std::vector<std::uint8_t>;

void append_number(ImageBytes& bytes, std::uint64_t value, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) {
    bytes.push_back(static_cast<std::uint8_t>(value >> (8 * i)));
  }
}

ImageBytes entry_of(std::uint16_t kind, const ImageBytes& code) {
  ImageBytes bytes;
  append_number(bytes, kind, 2);
  append_number(bytes, 0x101, 2);
  append_number(bytes, 24, 4);
  append_number(bytes, code.size(), 8);
  append_number(bytes, 0x5a5a, 8);  // the rest of its header
  bytes.insert(bytes.end(), code.begin(), code.end());
  return bytes;
}

ImageBytes container_of(const std::vector<ImageBytes>& entries) {
  std::size_t size = 0;
  for (const ImageBytes& entry : entries) size += entry.size();
  ImageBytes bytes;
  append_number(bytes, 0xBA55ED50, 4);
  append_number(bytes, 1, 2);
  append_number(bytes, 16, 2);
  append_number(bytes, size, 8);
  for (const ImageBytes& entry : entries) bytes.insert(bytes.end(), entry.begin(), entry.end());
  return bytes;
}

const ImageBytes ptx{'p', 't', 'x', '!', '!', '!', '!', '!'};
const ImageBytes code{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};

TEST(WithoutPtx, KeepsMachineCodeAlone) {
  const ImageBytes both = container_of({entry_of(1, ptx), entry_of(2, code), entry_of(1, ptx)});
  const MachineCode stripped = without_ptx(both);
  EXPECT_EQ(stripped.missing, "");
  EXPECT_EQ(stripped.image, container_of({entry_of(2, code)}));
  EXPECT_EQ(image_bytes(both.data()), both.size());
}

TEST(WithoutPtx, RefusesPtxAlone) {
  EXPECT_EQ(without_ptx(container_of({entry_of(1, ptx)})).missing, "PTX without machine code");
  const ImageBytes text(64, '.');
  EXPECT_EQ(without_ptx(text).missing, "PTX without machine code");
  EXPECT_EQ(without_ptx(std::vector<std::uint8_t>{1, 2, 3, 4}).missing,
            "code that is neither an ELF file nor a container");
}

TEST(WithoutPtx, RefusesEveryPartOfAContainer) {
  const ImageBytes whole = container_of({entry_of(2, code), entry_of(1, ptx)});
  for (std::size_t length = 0; length < whole.size(); ++length) {
    EXPECT_NE(without_ptx(std::span(whole).first(length)).missing, "") << length;
  }
}

TEST(WithoutPtx, RefusesLengthsThatOverflow) {
  ImageBytes whole = container_of({entry_of(2, code)});
  std::memset(whole.data() + 24, 0xff, 8);  // the length of the entry's code
  EXPECT_EQ(without_ptx(whole).missing, "a container of code is cut off");
  std::memset(whole.data() + 8, 0xff, 8);  // that of all entries
  EXPECT_EQ(without_ptx(whole).missing, "a container of code is cut off");
}

TEST(ImageBytes, CountsAnElfFileToItsLastPart) {
  ImageBytes file(512);
  Elf64_Ehdr header{};
  std::memcpy(header.e_ident, ELFMAG, SELFMAG);
  header.e_shoff = 64;
  header.e_shnum = 1;
  header.e_shentsize = sizeof(Elf64_Shdr);
  Elf64_Shdr section{};
  section.sh_offset = 200;
  section.sh_size = 100;
  std::memcpy(file.data(), &header, sizeof header);
  std::memcpy(file.data() + 64, &section, sizeof section);
  EXPECT_EQ(image_bytes(file.data()), 300U);
  EXPECT_EQ(without_ptx(file).image, file);
}

TEST(ImageBytes, KnowsNoText) {
  const ImageBytes text(64, '.');
  EXPECT_EQ(image_bytes(text.data()), std::nullopt);
}

}  // namespace
}  // namespace robust_kbench
