#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "core/device.hpp"

namespace robust_kbench {

// A digest of the machine code and constants in a kernel's library. Libraries of two sources that
// differ in comments, layout or names of local variables have the same one. On the CPU such
// libraries are equal files. A CUDA library also names its lines, holds PTX, and has a digest of
// its source in the names of functions. These are left out, as are tables of exceptions. A library
// that cannot be read in this way is hashed as a whole.
std::string machine_code_digest(const std::filesystem::path& library, Device device);

// The text with zeros for the digests of sources and paths that nvcc writes into names:
// "_GLOBAL__N__a16eb406_9_kernel_cu_f4e825ed5scale".
std::string without_source_digests(std::string_view text);

}  // namespace robust_kbench
