#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/entry_module.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// The file name of a source's object in the directory of its compilation, by the source's index.
std::string object_name(std::size_t source);

// The output of a compiler or a linker, with the kernel's files under the names that the user gave.
// Files that the compilation in `scratch` made for itself are not named.
std::string in_given_names(std::string text, const KernelSource& kernel,
                           const std::optional<EntryModule>& made,
                           const std::filesystem::path& scratch);

// The text, in which debug information has named made modules' files, with the kernel's sources
// instead.
std::string with_sources_of_modules(std::string text, const KernelSource& kernel);

}  // namespace robust_kbench
