#pragma once

#include <cerrno>
#include <filesystem>

#include "core/error.hpp"

namespace robust_kbench {

// The error of an archive's file that could not be written, with the reason that errno gives.
UserError write_failure(const std::filesystem::path& path, int error = errno);

}  // namespace robust_kbench
