#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>

#include "compile/entry_module.hpp"
#include "core/manifest.hpp"

namespace robust_kbench {

// The name of a source's object in the directory of its compilation, by the source's index.
std::string object_name(std::size_t source);

// What a compiler or a linker has printed, with the kernel's files as the person has named them.
// What the compilation in `scratch` has made for itself is not named.
std::string in_given_names(std::string text, const KernelSource& kernel,
                           const std::optional<EntryModule>& made,
                           const std::filesystem::path& scratch);

// A text in which debug information has named a made module's file names the kernel's source there.
std::string with_sources_of_modules(std::string text, const KernelSource& kernel);

}  // namespace robust_kbench
