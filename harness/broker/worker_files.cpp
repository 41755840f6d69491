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

WorkerFiles::WorkerFiles() : m_output(make_file(directory() + "/output")) {}

std::string WorkerFiles::output_tail(std::size_t bytes) const {
  struct stat status {};
  if (fstat(m_output.get(), &status) != 0) return {};
  const auto size = static_cast<std::size_t>(status.st_size);
  std::string tail(std::min(size, bytes), '\0');
  const ssize_t n =
      pread(m_output.get(), tail.data(), tail.size(), static_cast<off_t>(size - tail.size()));
  tail.resize(static_cast<std::size_t>(std::max<ssize_t>(n, 0)));
  const std::size_t line_end = tail.find('\n');
  if (size > bytes && line_end + 1 < tail.size()) tail.erase(0, line_end + 1);
  return escaped(tail);
}

void WorkerFiles::forget_output() const {
  (void)!ftruncate(m_output.get(), 0);  // on failure the file only keeps growing
}

}  // namespace robust_kbench
