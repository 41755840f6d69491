#pragma once

#include <filesystem>
#include <string>

namespace robust_kbench {

// Writes the program verify/nvcc_halves.sh there and gives its path. Put before the command by
// which nvcc makes one object, it makes the same object in two thirds of the time. Throws
// HarnessError where it cannot be written.
std::string write_nvcc_halves(const std::filesystem::path& directory);

}  // namespace robust_kbench
