#pragma once

#include <filesystem>
#include <string>

namespace robust_kbench {

// Why a worker of this machine could not load a kernel's shared object, for a person; empty where
// nothing stands against it: it lacks its module, needs a library or a symbol that nobody provides,
// or asks for an executable stack or writable code. Reads the file and runs nothing, so it needs no
// GPU. `cuda`: its worker also offers CUDA's libraries (cuBLAS and the like) to those that do not
// link them, and the driver. `over_torch`: it was compiled over torch's headers, and may need
// torch's libraries, as no other kernel may.
std::string link_fault(const std::filesystem::path& library, bool cuda, bool over_torch = false);

}  // namespace robust_kbench
