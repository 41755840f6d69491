#pragma once

#include <string>

#include "compile/declared_names.hpp"
#include "compile/library_build.hpp"

namespace robust_kbench {

// The names that a header and all its includes declare for kernels of the device. None if it cannot
// be preprocessed.
DeclaredNames names_of_header(const std::string& header, Device device, const Headers& headers,
                              LibraryBuild& build);

}  // namespace robust_kbench
