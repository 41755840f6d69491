#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/device.hpp"

namespace robust_kbench {

// A digest of the machine code in a kernel's library, and of its constants. Libraries of two
// sources that differ in comments, layout or names of local variables have the same one. On the CPU
// these are the same files. A CUDA library also names its lines, and holds PTX. The names of its
// functions have a digest of its source. These are left out, as
// are tables of exceptions. What cannot be read so counts as a whole.
std::string machine_code_digest(const std::filesystem::path& library, Device device);

// The text with zeros for the digests of sources and paths that nvcc writes into names:
// "_GLOBAL__N__a16eb406_9_kernel_cu_f4e825ed5scale".
std::string without_source_digests(std::string_view text);

}  // namespace robust_kbench
