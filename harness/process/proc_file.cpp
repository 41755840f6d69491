#include "process/proc_file.hpp"

#include <algorithm>
#include <array>
#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include "core/descriptor.hpp"

namespace robust_kbench {

std::string proc_file(const std::string& path) {
  constexpr std::size_t most = std::size_t{4} << 20;  // twice the usual limit of an environment
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text;
  std::array<char, 4096> part{};
  constexpr ssize_t whole_part = part.size();
  ssize_t n = file.get() < 0 ? 0 : whole_part;
  while (n == whole_part && text.size() < most) {
    n = read(file.get(), part.data(), part.size());
    text.append(part.data(), static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  }
  return text;
}

std::vector<std::string> proc_entries(const std::string& path) {
  std::vector<std::string> entries;
  DIR* directory = opendir(path.c_str());
  if (directory == nullptr) return entries;
  while (const dirent* entry = readdir(directory)) {
    if (entry->d_name[0] != '.') entries.emplace_back(entry->d_name);
  }
  closedir(directory);
  return entries;
}

}  // namespace robust_kbench
