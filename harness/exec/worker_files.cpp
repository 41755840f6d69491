#include "exec/worker_files.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "core/error.hpp"
#include "exec/escape.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

Descriptor make_file(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
  if (file.get() < 0) throw HarnessError("cannot make " + path + ": " + std::strerror(errno));
  return file;
}

// A worker may have taken its own permissions from a directory that it made.
void make_removable(const fs::path& directory) {
  std::error_code ignored;
  for (auto it = fs::recursive_directory_iterator(directory, ignored);
       it != fs::recursive_directory_iterator(); it.increment(ignored)) {
    if (it->is_directory(ignored) && !it->is_symlink(ignored)) {
      fs::permissions(it->path(), fs::perms::owner_all, ignored);
    }
  }
}

}  // namespace

WorkerFiles::WorkerFiles()
    : m_output(make_file(directory() + "/stdout")), m_errors(make_file(directory() + "/stderr")) {}

WorkerFiles::~WorkerFiles() {
  make_removable(m_directory.path());
}

std::string WorkerFiles::errors_tail(std::size_t bytes) const {
  struct stat status {};
  if (fstat(m_errors.get(), &status) != 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string tail(std::min(size, bytes), '\0');
  const ssize_t n =
      pread(m_errors.get(), tail.data(), tail.size(), static_cast<off_t>(size - tail.size()));
  tail.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  return escaped(tail);
}

}  // namespace robust_kbench
