#include "compile/disk_space.hpp"

#include <cstdint>
#include <optional>
#include <string>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// The bytes that are left on the disk, if they are too few.
std::optional<std::uintmax_t> too_little_space(const fs::path& directory) {
  constexpr std::uintmax_t least = std::uintmax_t{1} << 20;
  std::error_code error;
  const fs::space_info space = fs::space(directory, error);
  if (error || space.available >= least) return std::nullopt;
  return space.available;
}

}  // namespace

bool has_too_little_space(const fs::path& directory) {
  return too_little_space(directory).has_value();
}

void require_space(const fs::path& directory) {
  if (const std::optional<std::uintmax_t> left = too_little_space(directory)) {
    throw HarnessError(
        directory.string() + " has " + std::to_string(*left) +
        " bytes left and the compiler failed; free some, or set TMPDIR to another disk");
  }
}

}  // namespace robust_kbench
