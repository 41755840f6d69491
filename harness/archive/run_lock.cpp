#include "archive/run_lock.hpp"

#include <fcntl.h>
#include <fstream>
#include <unistd.h>

#include "archive/write_failure.hpp"
#include "core/error.hpp"

namespace robust_kbench {
namespace {

// A lock of an open file. It also excludes other objects of this process, and its state can be
// queried.
struct flock whole_file() {
  struct flock lock {};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  return lock;
}

// 0 where the holder has not written it yet.
pid_t written_pid(const std::filesystem::path& path) {
  pid_t pid = 0;
  std::ifstream(path) >> pid;
  return pid;
}

}  // namespace

RunLock::RunLock(const std::filesystem::path& path, const std::string& run) {
  std::error_code error;
  std::filesystem::create_directories(path.parent_path(), error);
  constexpr mode_t readable = 0644;
  m_file = Descriptor(open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, readable));
  if (m_file.get() < 0) throw write_failure(path);
  struct flock lock = whole_file();
  if (fcntl(m_file.get(), F_OFD_SETLK, &lock) != 0) {
    if (errno != EAGAIN && errno != EACCES) throw write_failure(path);
    throw UserError("run " + run + " is written by process " + std::to_string(written_pid(path)) +
                    " now; wait until that has ended, or end it");
  }
  const std::string pid = std::to_string(getpid()) + "\n";
  if (ftruncate(m_file.get(), 0) != 0 ||
      pwrite(m_file.get(), pid.data(), pid.size(), 0) != static_cast<ssize_t>(pid.size())) {
    throw write_failure(path);
  }
}

std::optional<pid_t> RunLock::holder(const std::filesystem::path& path) {
  const Descriptor file(open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return std::nullopt;
  struct flock lock = whole_file();
  if (fcntl(file.get(), F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  return written_pid(path);
}

}  // namespace robust_kbench
