#pragma once

#include <filesystem>

// A full disk can fail a compiler, which says nothing about its input.
namespace robust_kbench {

// Whether a compiler that failed there may have lacked space. False if the free space is unknown.
bool has_too_little_space(const std::filesystem::path& directory);

// Throws HarnessError if has_too_little_space().
void require_space(const std::filesystem::path& directory);

}  // namespace robust_kbench
