#include "broker/worker_files.hpp"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.hpp"
#include "process/escape.hpp"

namespace robust_kbench {
namespace {

Descriptor make_file(const std::string& path) {
  Descriptor file(open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0600));
  if (file.get() < 0) throw system_failure("cannot make " + path);
  return file;
}

}  // namespace

WorkerFiles::WorkerFiles()
    : m_output(make_file(directory() + "/stdout")), m_errors(make_file(directory() + "/stderr")) {}

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
