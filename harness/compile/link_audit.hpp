#pragma once

#include <filesystem>
#include <string>

namespace robust_kbench {

// Why a worker on this machine could not load a kernel's shared object, in words for a person.
// Empty if it could. The library may need a library or symbol that nothing provides. It may also
// ask for an executable stack or writable code. The check reads the file and runs nothing, so it
// needs no GPU.
//
// With `cuda` the worker also offers the driver and CUDA's libraries (cuBLAS and the like) to
// kernels that do not link them. `over_torch` says that the library was compiled with torch's
// headers. Only then may it need torch's libraries.
std::string link_fault(const std::filesystem::path& library, bool cuda, bool over_torch = false);

// Whether the library has the module through which a worker calls a kernel.
bool exports_module(const std::filesystem::path& library);

}  // namespace robust_kbench
