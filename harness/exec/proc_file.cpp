#include "exec/proc_file.hpp"

#include <algorithm>
#include <fcntl.h>
#include <unistd.h>

#include "exec/descriptor.hpp"

namespace robust_kbench {

std::string proc_file(const std::string& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string text(4096, '\0');
  const ssize_t n = file.get() < 0 ? 0 : read(file.get(), text.data(), text.size());
  text.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return text;
}

}  // namespace robust_kbench
