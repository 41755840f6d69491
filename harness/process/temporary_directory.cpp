#include "process/temporary_directory.hpp"

#include <chrono>
#include <cstdlib>
#include <fcntl.h>
#include <mutex>
#include <sys/file.h>
#include <system_error>

#include "core/error.hpp"

namespace robust_kbench {
namespace {

namespace fs = std::filesystem;

constexpr const char* prefix = "robust_kbench_";

// A younger directory may be in use though it is not locked yet.
constexpr std::chrono::minutes abandoned_after{1};

Descriptor lock(const fs::path& directory) {
  Descriptor fd(open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
  if (fd.get() >= 0 && flock(fd.get(), LOCK_EX | LOCK_NB) != 0) fd.reset();
  return fd;
}

void remove_tree(const fs::path& directory) {
  // A worker may have removed its own permissions on a directory that it made.
  std::error_code ignored;
  for (auto it = fs::recursive_directory_iterator(directory, ignored);
       it != fs::recursive_directory_iterator(); it.increment(ignored)) {
    if (it->is_directory(ignored) && !it->is_symlink(ignored)) {
      fs::permissions(it->path(), fs::perms::owner_all, ignored);
    }
  }
  fs::remove_all(directory, ignored);
}

}  // namespace

void remove_abandoned_directories() {
  std::error_code ignored;
  for (const fs::directory_entry& entry :
       fs::directory_iterator(fs::temp_directory_path(), ignored)) {
    if (!entry.path().filename().native().starts_with(prefix)) continue;
    const auto age = fs::file_time_type::clock::now() - entry.last_write_time(ignored);
    // The operating system has released the locks of processes that have ended.
    if (age > abandoned_after && lock(entry.path()).get() >= 0) remove_tree(entry.path());
  }
}

TemporaryDirectory::TemporaryDirectory(const std::string& purpose) {
  static std::once_flag first;
  std::call_once(first, remove_abandoned_directories);
  std::string name = (fs::temp_directory_path() / (prefix + purpose + "_XXXXXX")).string();
  if (mkdtemp(name.data()) == nullptr) {
    throw system_failure("no temporary directory at " + name + " (free space there or set TMPDIR)");
  }
  m_path = name;
  m_lock = lock(m_path);
}

TemporaryDirectory::~TemporaryDirectory() {
  remove_tree(m_path);
}

}  // namespace robust_kbench
