#include "archive/write_failure.hpp"

#include <cstring>

namespace robust_kbench {

UserError write_failure(const std::filesystem::path& path, int error) {
  return UserError(
      "the archive's " + path.string() + " cannot be written: " + std::strerror(error) +
      "; what is archived already is not lost. Make it writable, or give --archive another "
      "directory");
}

}  // namespace robust_kbench
