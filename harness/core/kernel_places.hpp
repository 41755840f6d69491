#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "core/manifest.hpp"

namespace robust_kbench {

// The directories of the shared libraries that a kernel is linked with: those of libraries given by
// path, and the arguments of -L and -rpath. The user's home directory, or one above it, is replaced
// by the libraries in it.
std::vector<std::string> library_places(const KernelSource& kernel);

// The files that the compilation of a kernel reads: its sources and their directories, its
// registered include directories, and its libraries. The user's home directory, or one above it, is
// replaced by the headers in it.
std::vector<std::string> source_places(const KernelSource& kernel);

// True if the file's name ends as those of headers do.
bool is_header(const std::filesystem::path& file);

// The directory of a program's own files. It is the parent of its bin/, or bin/ itself where that
// parent is the root or holds the home directory.
std::string installation_place(const std::string& program);

}  // namespace robust_kbench
