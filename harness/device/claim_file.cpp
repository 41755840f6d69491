#include "device/claim_file.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

#include "core/error.hpp"
#include "device/shared_file.hpp"

namespace robust_kbench {
namespace {

// The first record is no claim: its bytes are locked for a turn at the whole file.
constexpr std::size_t max_records = 4096;

off_t place_of(std::size_t record) {
  return static_cast<off_t>(record * sizeof(ClaimRecord));
}

struct flock lock_on(std::size_t record, short type) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = place_of(record);
  lock.l_len = sizeof(ClaimRecord);
  return lock;
}

// Open file description locks: unlike fcntl()'s usual locks, they belong to the open file and not
// to the process.
bool try_to_lock(int fd, std::size_t record, const std::string& path) {
  struct flock lock = lock_on(record, F_WRLCK);
  if (fcntl(fd, F_OFD_SETLK, &lock) == 0) return true;
  if (errno == EAGAIN || errno == EACCES || errno == EINTR) return false;
  throw system_failure("the file of claims " + path + " cannot be locked");
}

}  // namespace

ClaimFile::ClaimFile(std::string path) : m_path(std::move(path)), m_fd(open_shared_file(m_path)) {}

bool ClaimFile::is_current() const {
  return is_still_at(m_fd.get(), m_path);
}

std::size_t ClaimFile::record_count() const {
  struct stat status {};
  if (fstat(m_fd.get(), &status) != 0) throw system_failure("the file of claims " + m_path);
  return std::min(max_records, static_cast<std::size_t>(status.st_size) / sizeof(ClaimRecord));
}

void ClaimFile::take_free_record() {
  for (std::size_t record = 1; record < max_records; ++record) {
    if (!try_to_lock(m_fd.get(), record, m_path)) continue;
    m_own = record;
    return;
  }
  throw HarnessError("the file of claims " + m_path + " has all of its " +
                     std::to_string(max_records - 1) +
                     " records in use; end some of the processes that hold them");
}

ClaimFile::Turn::Turn(ClaimFile& file) : m_file(file) {
  // A turn takes microseconds, unless its process is stopped, or a kernel under test holds the
  // lock.
  constexpr std::chrono::minutes limit{1};
  constexpr std::chrono::milliseconds pause{1};
  const auto deadline = std::chrono::steady_clock::now() + limit;
  while (!try_to_lock(file.m_fd.get(), 0, file.m_path)) {
    if (std::chrono::steady_clock::now() > deadline) {
      throw HarnessError("the file of claims " + file.m_path + " has been locked for " +
                         std::to_string(limit.count()) +
                         " minute; /proc/locks says by which process, end that");
    }
    std::this_thread::sleep_for(pause);
  }
}

ClaimFile::Turn::~Turn() {
  struct flock lock = lock_on(0, F_UNLCK);
  fcntl(m_file.m_fd.get(), F_OFD_SETLK, &lock);
}

std::vector<ClaimRecord> ClaimFile::Turn::others() const {
  std::vector<ClaimRecord> records;
  const int fd = m_file.m_fd.get();
  const std::size_t count = m_file.record_count();
  for (std::size_t record = 1; record < count; ++record) {
    struct flock lock = lock_on(record, F_WRLCK);
    if (fcntl(fd, F_OFD_GETLK, &lock) != 0) {
      throw system_failure("the file of claims " + m_file.m_path);
    }
    if (lock.l_type == F_UNLCK) continue;
    ClaimRecord read;
    if (pread(fd, &read, sizeof(read), place_of(record)) == sizeof(read)) records.push_back(read);
  }
  return records;
}

void ClaimFile::Turn::write(const ClaimRecord& record) {
  if (m_file.m_own == 0) m_file.take_free_record();
  const ssize_t written =
      pwrite(m_file.m_fd.get(), &record, sizeof(record), place_of(m_file.m_own));
  if (written != sizeof(record)) {
    throw system_failure("the file of claims " + m_file.m_path + " cannot be written");
  }
}

}  // namespace robust_kbench
