#pragma once

#include <filesystem>

// A compiler's failure on a full disk says nothing about its input.
namespace robust_kbench {

// Whether a compiler that failed there may have lacked space. False where nobody knows.
bool has_too_little_space(const std::filesystem::path& directory);

// Throws HarnessError where it may have.
void require_space(const std::filesystem::path& directory);

}  // namespace robust_kbench
