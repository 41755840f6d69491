#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace robust_kbench {

// The driver loads a kernel's code as an image. That is an ELF file, or a container ("fatbin") of
// several. A container may also have PTX.

// The length of the image at `memory`, by its headers. Nothing for PTX text or unknown code. Its
// memory is that of the process that loads it, whose headers are believed.
std::optional<std::size_t> image_bytes(const void* memory);

// Machine code alone, or the reason why there is none.
struct MachineCode {
  std::vector<std::uint8_t> image;
  std::string missing;
};

// The image without PTX, since a driver that loads it would run a compiler on it. The bytes may be
// hostile: each length is checked against them.
MachineCode without_ptx(std::span<const std::uint8_t> image);

}  // namespace robust_kbench
