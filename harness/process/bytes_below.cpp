#include "process/bytes_below.hpp"

#include <algorithm>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <vector>

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

// A file takes a page at least.
std::uint64_t bytes_of(const struct stat& status) {
  constexpr std::uint64_t page_bytes = 4096;
  constexpr std::uint64_t block_bytes = 512;  // of stat(2)
  return std::max(page_bytes, static_cast<std::uint64_t>(status.st_blocks) * block_bytes);
}

}  // namespace

std::uint64_t bytes_below(const std::string& directory, std::uint64_t limit) {
  std::uint64_t bytes = 0;
  std::vector<fs::path> left{directory};
  while (!left.empty() && bytes <= limit) {
    std::error_code error;
    fs::directory_iterator entry(left.back(), error);
    left.pop_back();
    if (error == std::errc::permission_denied) return limit + 1;
    for (; !error && entry != fs::directory_iterator() && bytes <= limit; entry.increment(error)) {
      struct stat status {};
      if (lstat(entry->path().c_str(), &status) != 0) continue;
      bytes += bytes_of(status);
      if (S_ISDIR(status.st_mode)) left.push_back(entry->path());
    }
  }
  return bytes;
}

}  // namespace robust_kbench
